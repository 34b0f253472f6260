"""``vassalgen inspect``: the contents of a VASSAL file, as facts, as words and as text that can be compared.

The facts of a file are values of :mod:`.facts`; :mod:`.modules` and :mod:`.games` find them, :mod:`.report`
puts them in words, and :mod:`.listing` writes the whole content out.
"""
