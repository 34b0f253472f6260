"""``vassalgen inspect``: what is in a VASSAL file, as facts, as words and as text that can be compared.

What is found in a file are values of :mod:`.facts`; :mod:`.modules` and :mod:`.games` find it, :mod:`.report`
puts it in words, and :mod:`.listing` writes the whole content out.
"""
