"""Small files that are made to take all time or memory. Each is less than 1 MB packed."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable

from tests.scribe.playing import Playing
from vassalgen.announcements import CID
from vassalgen.vassal.sequences import encode
from vassalgen.vassal.streams import ESC, LOG
from vassalgen.vassal.streams import encode as written

MANY = 39_000
MODULE = b'<?xml version="1.0"?><data version="1"><name>Bomb</name></data>'


def packed(entries: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip, packed as well as can be."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return stream.getvalue()


def log(*commands: str, players: Iterable[str] = ("PLAYER\tada\tAda\tAllies",)) -> bytes:
    """A log whose steps are commands of one node each."""
    steps = [LOG + one for one in commands]
    return packed([("savedGame", ESC.join(["begin_save", *players, "end_save", *steps]).encode())])


def module(build_file: str | bytes, *others: tuple[str, bytes]) -> bytes:
    """A module."""
    data = build_file if isinstance(build_file, bytes) else build_file.encode()
    return packed([("buildFile.xml", data), ("moduledata", MODULE), *others])


def root(inside: str, attributes: str = "") -> str:
    """The build file of a module with the given contents."""
    return f'<VASSAL.build.GameModule name="Bomb" version="1"{attributes}>{inside}</VASSAL.build.GameModule>'


def add(id_: str, type_: Iterable[str], state: Iterable[str] = ("Main Map;0;0;0;0",)) -> str:
    """The command that makes a piece of traits, outermost first."""
    return encode([f"+/{id_}", nested(type_), nested(state)], "/").replace("+\\/", "+/", 1)


def nested(parts: Iterable[str]) -> str:
    """Traits nested as VASSAL does it."""
    return "".join((chr(92) * (depth - 1) + "\t" if depth else "") + part for depth, part in enumerate(parts))


def stack_of_traits(count: int) -> str:
    return add("1", [*["mark;a"] * count, "piece;;;;Deep"])


def asking_itself() -> str:
    """A label that doubles with each of thirty properties."""
    traits = [f"calcProp;p{n};{{p{n + 1}+p{n + 1}}}" for n in range(30)]
    label = "label;;10,0;;128,128,128;128,128,128;;;;;;;$pieceName$ ($label$)"
    type_ = [label, *traits, "prop;p30;;", "piece;;;;Doubling"]
    return add("1", type_, ["$p0$", *[""] * 30, "x", "Main Map;100;100;0;0"])


def announced(text: str) -> bytes:
    """A log with a text that looks like an announcement of the module."""
    return log(*[f"CHAT* {text}"] * 20)


def of_the_game(*commands: str) -> bytes:
    """A log of a game that can be audited, followed by other commands."""
    text = written(Playing().move("blade", "B2").log().stream.root)
    return packed([("savedGame", ESC.join([text, *(LOG + one for one in commands)]).encode())])


PIECE = f"mark;{CID}\tpiece;;;;Unit/x\tMain Map;100;100;"


BOMBS: dict[str, Callable[[], bytes]] = {
    "escapes.vlog": lambda: packed([("savedGame", b"begin_save" + ESC.encode() * 2**24)]),
    "escapes in hex.vlog": lambda: packed(
        [("savedGame", b"!VCSK00" + b"626567696e5f73617665" + b"1b" * 2**23)]
    ),
    "elements.vmod": lambda: module(root("<a/>" * 4_000_000)),
    "elements in utf-16.vmod": lambda: module(root("<a/>" * 2_000_000).encode("utf-16")),
    "elements in utf-7.vmod": lambda: module(
        b'<?xml version="1.0" encoding="UTF-7"?>' + root("<a/>" * 1_000_000).replace("<", "+ADw-").encode()
    ),
    "attributes.vmod": lambda: module(root("", "".join(f' a{n}="1"' for n in range(600_000 // 4)))),
    "attributes with blanks.vmod": lambda: module(root("", "".join(f" a{n} =  '1'" for n in range(100_000)))),
    "many attributes.vmod": lambda: module(root('<a b="1" c="2" d="3"/>' * 300_000)),
    "nested elements.vmod": lambda: module(root("<a>" * 90_000 + "</a>" * 90_000)),
    "a long text.vmod": lambda: module(root("<a>" + "x" * 50_000_000 + "</a>")),
    "set-ups.vmod": lambda: module(
        root(
            "".join(
                f'<VASSAL.build.module.PredefinedSetup name="{n}" file="s{n}.vsav" useFile="true"/>'
                for n in range(60)
            )
        ),
        *((f"s{n}.vsav", packed([("savedGame", b"begin_save" + ESC.encode() * 150_000)])) for n in range(60)),
    ),
    "prototypes.vmod": lambda: module(root(prototypes(60))),
    "players.vlog": lambda: log(players=[f"PLAYER\tpassword{n}\tAda\tAllies" for n in range(20_000)]),
    "owners.vlog": lambda: log(
        *(
            add(str(n), ["hide;;;255,0,0", "piece;;;;Unit"], [f"owner{n}", "Main Map;0;0;0;0"])
            for n in range(20_000)
        )
    ),
    "owners and words.vlog": lambda: log(
        *(
            add(str(n), ["hide;;;255,0,0", "piece;;;;Unit"], [f"owner{n}", "Main Map;0;0;0;0"])
            for n in range(190)
        ),
        "M/" + "owner owne own " * 1_000_000,
    ),
    "quotes.vlog": lambda: packed(
        [
            (
                "savedGame",
                (
                    "begin_save"
                    + "".join("'" + chr(92) * n + ESC for n in range(450))
                    + ("'" + chr(92) * 450 + ESC) * 60_000
                ).encode(),
            )
        ]
    ),
    "traits.vlog": lambda: log(*(stack_of_traits(990) for _ in range(20))),
    "types.vlog": lambda: log(*(add(str(n), [f"mark;a{n}"] * 100 + ["piece;;;;U"]) for n in range(4_000))),
    "traits in quotes.vlog": lambda: log("+/1/" + "'a\t" * 400_000 + "/x"),
    "pieces.vlog": lambda: log(*(f"+/{n}/piece;;;;Unit/Main Map;0;0;0;0" for n in range(MANY))),
    "pieces in one stack.vlog": lambda: log(
        *(f"+/{n}/piece;;;;Unit/Main Map;0;0;0;0" for n in range(20_000)),
        "+/s/stack/Main Map;0;0;" + ";".join(map(str, range(20_000))) + ";@@0",
        *["M/s/Main Map/9/9/null/Main Map/0/0/null/ada", "M/s/Main Map/0/0/null/Main Map/9/9/null/ada"] * 50,
    ),
    "moves.vlog": lambda: log(
        "+/1/piece;;;;Unit/Main Map;0;0;0;0",
        *(f"M/1/Main Map/{n}/9/null/Main Map/0/0/null/ada" for n in range(MANY // 2)),
    ),
    "doubling.vlog": lambda: log(asking_itself(), "M/1/Main Map/9/9/null/Main Map/100/100/null/ada"),
    "properties of each other.vlog": lambda: log(
        add(
            "1",
            [f"calcProp;q{n};{{{'+'.join(f'q{m}' for m in range(30))}}}" for n in range(30)]
            + ["piece;;;;Round"],
            [""] * 30 + ["Main Map;100;100;0;0"],
        ),
        "M/1/Main Map/9/9/null/Main Map/100/100/null/ada",
    ),
    "chat.vlog": lambda: log(*["CHAT&lt;Ada&gt; - hello"] * MANY),
    "stars.vlog": lambda: announced("* " * 400_000),
    "brackets.vlog": lambda: announced("Battle 1: " + "a [b] (c) + " * 100_000 + "attack"),
    "open brackets.vlog": lambda: announced("Move: " + " [" * 400_000),
    "digits.vlog": lambda: announced("Battle " + "1" * 900_000 + ": cancelled (Allies)"),
    "undo.vlog": lambda: log(*["UNDOtrue", "UNDOfalse"] * (MANY // 2)),
    "dice.vlog": lambda: of_the_game(*["MutableProperty/DiceCombat_result/0/3/Module"] * 30_000),
    "turns.vlog": lambda: of_the_game("TURNTurnTracker0\t0|4000000;0;false;-1;3\\;0\\;0\\;" + "true," * 8),
    "steps of an audit.vlog": lambda: of_the_game(
        *[
            "M/id-blade/Main Map/216/90/null/Main Map/72/90/null/ada",
            "M/id-blade/Main Map/72/90/null/Main Map/216/90/null/ada",
        ]
        * 10_000
    ),
    "wide letters.vlog": lambda: packed(
        [("savedGame", ("begin_save" + ESC + "CHAT" + "\U0001f4a3" * 14_000_000).encode())]
    ),
    "metadata.vlog": lambda: packed(
        [("savedGame", b"begin_save"), ("savedata", b"<data>" + b"<a/>" * 3_000_000 + b"</data>")]
    ),
}


def prototypes(count: int) -> str:
    """Prototypes each of which places the next one twice."""
    base = "VASSAL.build.module.PrototypesContainer"
    definition = "VASSAL.build.module.PrototypeDefinition"
    inner = "".join(
        f'<{definition} name="p{n}">+/null/prototype;p{n + 1}\tprototype;p{n + 1}\\\tpiece;;;;/'
        f"\t\\\tnull;0;0;;0</{definition}>"
        for n in range(count)
    )
    return f"<{base}>{inner}</{base}>"
