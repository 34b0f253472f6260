"""The help menu."""

from __future__ import annotations

from attrs import frozen

from vassalgen.vassal.components import attribute
from vassalgen.vassal.components.base import Component


@frozen(kw_only=True, repr=False)
class Documentation(Component):
    """The help menu; its entries are its children."""

    JAVA = "VASSAL.build.module.Documentation"


@frozen(kw_only=True, repr=False)
class AboutScreen(Component):
    """A picture, which is also shown at the start."""

    JAVA = "VASSAL.build.module.documentation.AboutScreen"
    NAMED_BY = "title"

    title: str = attribute.optional_text()
    file_name: str = attribute.optional_text()


@frozen(kw_only=True, repr=False)
class HelpFile(Component):
    """A page of HTML or text in the archive."""

    JAVA = "VASSAL.build.module.documentation.HelpFile"
    NAMED_BY = "title"

    title: str = attribute.text("help")
    file_name: str = attribute.optional_text()
    vassal_doc: str = attribute.word("user", "vassal")
    image: str = attribute.optional_text()
    file_type: str = attribute.word("archive", "resource", "file")


@frozen(kw_only=True, repr=False)
class BrowserHelpFile(Component):
    """A web site in the archive."""

    JAVA = "VASSAL.build.module.documentation.BrowserHelpFile"
    NAMED_BY = "title"

    title: str = attribute.optional_text()
    contents: str = attribute.optional_text()
    starting_page: str = attribute.text()


@frozen(kw_only=True, repr=False)
class BrowserPDFFile(Component):
    """A PDF in the archive."""

    JAVA = "VASSAL.build.module.documentation.BrowserPDFFile"
    NAMED_BY = "title"

    title: str = attribute.text("Show PDF file")
    pdf_file: str = attribute.text("MyRulebook.PDF")


@frozen(kw_only=True, repr=False)
class Tutorial(Component):
    """A log to step through."""

    JAVA = "VASSAL.build.module.documentation.Tutorial"

    name: str = attribute.optional_text()
    logfile: str = attribute.optional_text()
    launch_on_startup: bool = attribute.boolean()
    prompt_message: str = attribute.text("Load the tutorial?")
    welcome_message: str = attribute.text(
        'Hit the "Step forward" button in the toolbar to step through the tutorial'
    )
