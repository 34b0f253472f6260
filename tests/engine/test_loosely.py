"""Statements in other words than the game's: what is understood, and what is not."""

from __future__ import annotations

import pytest

from referee.engine.actions import Action
from referee.engine.clock import Clock
from referee.record import parse
from vassalgen.problems import BadInput

WORDS = [
    ("move uk-cadogan 2517-2617", "Cadogan moves from 2517 to 2617"),
    ("move uk-cadogan 2517-2617", "march Cadogan 2517 -> 2617"),
    ("move uk-cadogan 2517-2617-2717", "move uk-cadogan 2517 – 2617 – 2717"),
    ("move uk-cadogan 2517..2717", "move uk-cadogan 2517 to 2717"),
    ("move uk-cadogan ..2717", "move the uk-cadogan to hex 2717"),
    ("attack 2617 with uk-cadogan uk-byng", "Cadogan and Byng attack 2617"),
    ("attack 2617 with uk-cadogan uk-byng", "assault hex 2617 by Cadogan & Byng"),
    ("attack fr-rey with uk-cadogan", "Cadogan attacks Rey"),
    ("attack 2617 with uk-cadogan battle 2", "melee at 2617 with uk-cadogan battle 2"),
    ("fire 2617 with uk-art-res", "bombard 2617 with uk-art-res"),
    ("fire 2617 with uk-art-res", "fire at 2617 with uk-art-res"),
    ("roll combat 4", "roll 4"),
    ("roll combat 4", "combat roll 4"),
    ("roll casualty 4 for uk-hill", "casualty roll 4 for Hill"),
    ("odds 2:1", "odds are 2 to 1"),
    ("odds 2:1 attack 11 defence 5", "ratio 2:1 attack 11 defence 5"),
    ("modifier 1", "drm +1"),
    ("result 1|2+R1", "result 1 | 2 R1"),
    ("lose fr-rey 2", "Rey loses two steps"),
    ("lose fr-rey 2", "lose 2 steps fr-rey"),
    ("lose fr-rey 1", "reduce fr-rey"),
    ("eliminate fr-rey", "remove Rey from the map"),
    ("retreat fr-rey ..2717", "Rey falls back to 2717"),
    ("support uk-wellington", "Wellington helps from a distance"),
    ("support uk-hill", "Hill gives his bonus"),
    ("roll rally 3 for fr-menne fr-reille", "Reille rallies Menne with a 3"),
    ("rally fr-menne", "Menne is rallied"),
    ("roll pillage 4 for uk-cadogan", "Cadogan rolls 4 for pillage"),
    ("roll casualty 3 for uk-hill", "casualty check Hill 3"),
    ("work fr-sapeurs across 2306", "Sappers work on the bridge to 2306"),
    ("mark uncontrolled uk-cadogan", "Cadogan goes out of control"),
    ("displace fr-morgan ..2817", "Morgan gives way to 2817"),
    ("fire 2617 with uk-art-rha", "R.H.A. fires at 2617"),
    ("disorder fr-rey", "place a Disordered marker on Rey"),
    ("claim french-minor", "French claim a minor victory"),
    ("claim allied-major", "Allied major victory"),
    ("advance uk-cadogan ..2617", "occupy 2617 with Cadogan"),
    ("disorder fr-rey", "mark fr-rey disordered"),
    ("mark rout fr-rey", "Rey is routed"),
    ("recover fr-rey", "remove Disordered from Rey"),
    ("neutralise fr-gazan", "neutralize Gazan"),
    ("enter uk-cadogan on 0119", "Cadogan arrives at 0119"),
    ("claim allied-major", "claim Allied major"),
    ("eliminate fr-rey", "Rey is eliminated"),
    ("lose fr-rey 2", "Rey takes two losses"),
    ("lead uk-hill", "Hill takes part"),
    ("support uk-hill", "Hill helps Cadogan and Byng"),
    ("retreat fr-rey ..2717..2817", "Rey retreats to 2717 and then 2817"),
    ("move fr-rey 2616-2716-2816", "Rey moves 2616-2716, then to 2816"),
    ("move fr-rey 2616-2716-2816", "Rey moves 2616-2716, then 2716-2816"),
    ("eliminate fr-rey", "take Rey off"),
    ("charge fr-tilly", "Tilly charges Byng"),
    ("move uk-cadogan 2517-2617-2717", "Cadogan moves 2517-2617-2717, 3 MP"),
    ("move uk-cadogan ..2617", "Cadogan moves to 2617 and stops"),
    ("support uk-hill", "Hill provides a combat bonus"),
    ("move uk-cadogan ..2617..2717", "move uk-cadogan via 2617 to 2717"),
    ("move uk-cadogan uk-hill 2517-2617", "Cadogan moves with Hill 2517-2617"),
    ("recover fr-rey", "take the Disordered marker off Rey"),
    ("recover fr-rey", "Rey's disorder marker is removed"),
    ("mark rout fr-rey", "Rey receives a Rout marker"),
    ("reveal fr-rey", "Rey is flipped over"),
    ("lose fr-rey 2", "Rey suffers two step losses"),
    ("roll combat 4", "they throw a 4"),
    ("modifier 0", "no modifier"),
    ("charge fr-tilly", "place a Charge marker on Tilly"),
    ("go wild uk-cadogan on fr-treasure", "Cadogan pillages the Royal Treasure"),
    ("roll pillage 4 for uk-cadogan", "Cadogan tests for pillage and rolls a 4"),
    ("mark uncontrolled uk-cadogan", "Cadogan is out of control"),
    ("retreat fr-rey ..2717", "Rey retreats 1 hex to 2717"),
    ("work fr-sapeurs across 3117", "fr-sapeurs work across 3117"),
    ("finish fr-sapeurs across 3117 destroyed", "fr-sapeurs finish across 3117 destroyed"),
    ("next", "end of phase"),
    ("next turn 2, Allied leaders", "next turn"),
]


OTHERS = [
    ("patton1943", "lose us-1", "us-1 is reduced"),
    ("patton1943", "roll defence 3", "defense roll 3"),
    ("postcard1943", "odds 3:1 attack 7 defence 2", "odds are 3 to 1 attack 7 defence 2"),
    ("postcard1943", "roll bombing 2 for superga", "bombing roll 2 for Superga"),
    ("postcard1943", "attack B4 with pz10", "pz10 attacks Medjez el Bab"),
    ("postcard1943", "recover pz10", "pz10 recovers"),
    ("tunisia1943", "eliminate us-em-1", "us-em-1 is eliminated"),
    ("tunisia1943", "move de-754 1718-1719", "move 754 1718-1719"),
    ("tunisia1943", "aviation axis 2", "Axis uses two air points"),
    ("tunisia1943", "artillery uk-em-46 2", "2 artillery points from uk-em-46"),
    ("tunisia1943", "roll cohesion 4 3", "roll 2d6: 4 3"),
    ("tunisia1943", "roll cohesion 4 3", "cohesion test: 7 (4+3)"),
    ("tunisia1943", "result DD", "Disorganised defence"),
    ("tunisia1943", "lose it-91", "it-91 is flipped"),
    ("tunisia1943", "attack 1819 with uk-128 uk-138", "uk-128 attacks 1819 together with uk-138"),
    ("tunisia1943", "move de-754 ..1616", "Gren. Rgt. 754 moves to 1616"),
    ("tunisia1943", "move de-pz7 ..1616", "Pz.Rgt 7 moves to 1616"),
    ("tunisia1943", "move de-pzg69 ..1616", "PzGren 69 moves to 1616"),
    ("tunisia1943", "artillery de-em-10pz 1", "the HQ of the 10th Panzer gives one artillery point"),
    ("tunisia1943", "roll breakthrough 4 3", "cohesion test against the breakthrough: 4 3"),
    ("tunisia1943", "let pass", "the defender lets it pass"),
    ("tunisia1943", "modifier 2", "die +2"),
    ("tunisia1943", "lose zoc it-91", "it-91 loses its zone of control"),
    ("tunisia1943", "lose zoc it-91", "a Loss of ZoC marker is placed on it-91"),
    ("tunisia1943", "in supply it-91", "it-91 is in supply again"),
    ("tunisia1943", "exit de-pz7", "Panzer Regiment 7 leaves by the west edge"),
    ("tunisia1943", "lose it-91", "it-91 flips to its reduced side"),
    ("patton1943", "roll air 7 for de-air1", "air combat: de-air1 rolls 7"),
    ("patton1943", "to box uk-air2", "uk-air2 goes to the RTB box"),
    ("patton1943", "return de-air1 on 8412", "de-air1 lands at 8412"),
    ("patton1943", "leave out de-tiger", "Tiger does not take part"),
    ("patton1943", "leave out de-tiger", "the Tiger stays out of the battle"),
    ("patton1943", "roll defence 9", "roll 9 in defence"),
    ("patton1943", "attack result hit", "the attack is successful"),
    ("patton1943", "defence result miss", "the defense fails"),
    ("patton1943", "battlegroup us-bg1 on us-34", "us-bg1 replaces us-34"),
    ("patton1943", "attack 8512 with de-10pz de-rommel", "10th Panzer attacks 8512 with Rommel"),
    ("patton1943", "supply loss de-10pz", "10th Panzer is out of supply and reduced"),
    ("patton1943", "break through de-10pz 8512-8511", "10th Panzer makes a breakthrough move 8512-8511"),
    ("patton1943", "to box us-air1", "us-air1 is placed in the Return to Base box"),
    ("patton1943", "swap us-1-2s on us-1", "us-1-2s replaces us-1 in 8014"),
    ("postcard1943", "no retreat", "the defender declares no retreat"),
    ("postcard1943", "roll swamp 1 for us34", "us34 rolls 1 for the swamp"),
    ("postcard1943", "recover", "all recover"),
    ("postcard1943", "move uk46 ..D4", "46 Div moves to D4"),
    ("postcard1943", "move us1a ..D4", "1st Armd Div moves to D4"),
    ("postcard1943", "bomb D5 with desert-af", "Desert Air Force bombs D5"),
    ("postcard1943", "roll air-battle 4 for desert-af", "Desert AF rolls 4 in the air battle"),
    ("postcard1943", "roll press 5", "the attack is pressed: 5"),
    ("postcard1943", "no retreat", "Superga declares no retreat"),
    ("postcard1943", "disrupt superga", "disruption marker on Superga"),
    ("postcard1943", "retreat superga ..E6", "Superga routs to E6"),
    ("postcard1943", "lend us34", "us34 is lent to the Eighth Army"),
    ("postcard1943", "arrive uk46 on B1", "46th Division appears in B1"),
    ("tunisia1943", "attack 1819 with uk-128 it-91", "attack 1819 with 128 and 91"),
    ("tunisia1943", "attack 1819 with uk-128 uk-138", "128 and 138 attack 1819"),
    ("tunisia1943", "move de-tiger-a 1718-1719", 'move "501 A" 1718-1719'),
    ("vitoria1813", "fire 2517 with fr-art-gazan1", 'fire 2517 with "Gazan 1"'),
]


@pytest.mark.parametrize(("game", "said", "loosely"), OTHERS)
def test_the_other_games_are_read_loosely_too(game: str, said: str, loosely: str) -> None:
    one, other = (parse(f"game {game}\n{text}\n").main[0].content for text in (said, loosely))
    assert other == one


@pytest.mark.parametrize(("said", "loosely"), WORDS)
def test_what_is_said_loosely_is_read_as_the_game_words_it(said: str, loosely: str) -> None:
    one, other = (parse(f"game vitoria1813\n{text}\n").main[0].content for text in (said, loosely))
    assert other == one


OF_TUNISIA = [
    ("place de-fjr5 on 1717", "place Koch at 1717"),
    ("place de-em-21pz on 1717", "place EM 21 Panzer on hex 1717"),
    ("place us-em-34 on 1717", "place American 34th Div. EM 1717"),
    ("place fr-em-dma on 1406", 'place "EM Division de marche d\'Alger" on Medjez el Bab'),
    ("place de-tiger-a on 1406", "place Tiger A on Medjez-el-Bab"),
    ("place garrison-tunis on 1805", "place garrison Tunis on Tunis"),
    ("place de-754 on 1717 out-of-supply", "place de-754 on 1717, out of supply"),
    ("place de-754 on 1717 steps 1 out-of-supply", "place de-754 on 1717 reduced and OOS"),
    ("place de-em-21pz on 1717 face down", "place de-em-21pz on 1717 flipped"),
    ("place us-em-1 in allied-lost", "place us-em-1 eliminated"),
    ("place us-em-1 in allied-lost", "place us-em-1 in the dead pile"),
    ("place us-47 in allied-reinforcements", "place us-47 in the reinforcements box"),
    ("at turn 3, Allied supply", "at T3: Allies, supply check"),
    ("at turn 3, Axis combat", "at game turn 3 - Axis player, step 3"),
    ("at turn 3, Axis sustain", "at turn 3, Axis choice of sustained EM"),
    ("no artillery allied", "no artillery Allies"),
    ("aviation axis 2", "aviation Axis side 2"),
    ("aviation axis 2", "air points Axis 2"),
    ("result FF", "result Fierce fight"),
    ("result DD*", "result dd*"),
    ("lose us-16", "us-16 loses a step"),
    ("lose us-16 us-16", "lose us-16 two steps"),
    ("lose us-16 us-47", "us-16 and us-47 lose a step each"),
    ("lose us-16 us-47 us-16 us-47", "us-16 and us-47 each lose two steps"),
    ("roll cohesion 6 5", "roll cohesion: 6, 5"),
    ("call off", "cancel attack"),
    ("aviation axis 2", "Axis commits 2 aviation points"),
    ("artillery de-em-21pz 2", "EM 21st Panzer gives 2 artillery points"),
    ("no artillery axis", "the Axis declines artillery"),
    ("let pass", "let it pass"),
    ("let pass", "the Axis lets it pass"),
    ("sustain de-em-21pz", "Axis sustains de-em-21pz"),
    ("roll cohesion 6 6", "cohesion test 6 6"),
    ("retreat us-16 ..1714", "us-16 retreats two hexes to 1714"),
    ("advance de-pz5 ..1716", "Panzer Regiment 5 advances after combat to 1716"),
    ("lose zoc us-16", "us-16 loses its ZOC"),
    ("exit de-pz5", "de-pz5 exits the map to the west"),
    ("no artillery allied", "no Allied artillery"),
    ("break through de-pz5 to 1617", "de-pz5 declares a breakthrough to 1617"),
    ("stop with us-16", "us-16 stops it"),
    ("face down de-em-21pz", "flip de-em-21pz"),
    ("lose us-16", "flip us-16"),
    ("break through de-pz5 to 1617", "breakthrough Panzer Regiment 5 to 1617"),
    ("out of supply de-754", "mark de-754 out of supply"),
    ("in supply de-754", "remove Out of supply from de-754"),
    ("put away us-47 in allied-lost", "put away us-47 in Allied losses"),
    ("move de-754 1717-1718 ! illegal 4.1f", "move de-754 1717-1718 ! illegal by rule 4.1f"),
]


OF_POSTCARD = [
    ("place nz on H6", "place NZ Division on H6"),
    ("place nz on H6", "place the New Zealanders on H6"),
    ("place nih on B3", "place Churchills on Beja"),
    ("place us1 on B3", "place US 1st Division on B3"),
    ("place us34 on B3 disrupted turn 2 Axis", "place us34 on B3, disrupted in turn 2 Axis"),
    ("place pz10 on G2 stuck", "place pz10 on G2 stuck in swamp"),
    ("at turn 3, Allied movement", "at turn 3, Allied move"),
    ("intercept B4 with meaaf", "MEAAF intercepts over B4"),
    ("roll air-battle 4 for lw-afrika", "air battle roll 4 for LW Afrika"),
    ("no retreat", "No retreat!"),
    ("roll press 4", "press the attack, roll 4"),
    ("retreat uk78 B4-B3 by choice", "voluntary retreat uk78 B4-B3"),
    ("recover uk78", "remove disrupted marker from uk78"),
    ("mark stuck pz10", "pz10 gets stuck"),
    ("claim allied", "the Allies claim victory"),
    ("move pz10 B5-C5", "move pz10 B5-C5 along the road"),
    ("lend uk78", "uk78 is lent"),
    ("give back uk78", "uk78 is no longer lent"),
    ("give back uk78", "uk78 is given back"),
    ("mark free pz10", "pz10 is freed"),
    ("mark free pz10", "pz10 is no longer stuck in a swamp"),
    ("odds 3:1", "odds 12 to 4"),
    ("odds 3:1", "odds 12:4"),
    ("odds 8:1", "odds are 16 to 2"),
]
OF_PATTON = [
    ("place us-air1 in allied-returning", "place us-air1 in the Return to Base box"),
    ("place us-bg1 on 8112", "place battlegroup us-bg1 on 8112"),
    ("place in-4 on 8722", "place the Indians on 8722"),
    ("at turn 3, Axis battles", "at turn 3, Axis phase 4"),
    ("no air allied", "no air support Allies"),
    ("roll attack 6", "attack die 6"),
    ("roll defence 6", "defense roll: 6"),
    ("attack result hit", "the attack is a hit"),
    ("lose us-1a", "us-1a takes a loss"),
    ("battlegroup us-bg1 on us-1a", "us-1a is replaced by battlegroup us-bg1"),
    ("reclaim us-td on 7607", "bring back us-td on 7607"),
    ("rebuild us-1a", "us-1a is rebuilt"),
    ("to box de-air1", "de-air1 returns to base"),
    ("supply loss us-1a", "us-1a is out of supply"),
    ("roll patton 4", "roll for Patton: 4"),
    ("roll rommel 3", "Rommel roll 3"),
]
GAMES = {"tunisia1943": OF_TUNISIA, "postcard1943": OF_POSTCARD, "patton1943": OF_PATTON}


@pytest.mark.parametrize(
    ("game", "said", "loosely"), [(game, *pair) for game, pairs in GAMES.items() for pair in pairs]
)
def test_what_players_call_things_is_read_as_the_game_words_it(game: str, said: str, loosely: str) -> None:
    one, other = (parse(f"game {game}\n{text}\n").main for text in (said, loosely))
    assert other == one


@pytest.mark.parametrize(
    "said",
    [
        "place Superga on 1717",
        "place 21st Panzer Division on 1717",
        "move Allied 1717-1718",
        "Allies sustain de-em-21pz",
        "artillery de-em-21pz 2 1",
        "the Allies roll 4 and 3",
        "place us-em-1 in the box",
    ],
)
def test_a_name_that_several_counters_or_none_have_is_refused(said: str) -> None:
    with pytest.raises(BadInput):
        parse(f"game tunisia1943\n{said}\n")


@pytest.mark.parametrize(
    "said",
    [
        "Cadogan 2517-2617",
        "attack 2617 with uk-cadogan at noon",
        "remove fr-rey 2617",
        "fly to the moon",
        "Gazan rallies fr-rey",
        "lose fr-rey 2 3",
        "Rey is reduced to 3 steps",
        "Rey is reduced to 3",
        "the combat ends",
    ],
)
def test_what_may_mean_something_else_is_refused(said: str) -> None:
    with pytest.raises(BadInput):
        parse(f"game vitoria1813\n{said}\n")


@pytest.mark.parametrize(
    "said",
    [
        "at turn 3: Allied melee",
        "at Allied combat phase of turn 3",
        "at turn 3, combat, Allied",
    ],
)
def test_the_words_of_a_phase_come_in_any_order(said: str) -> None:
    one, other = (parse(f"game vitoria1813\n{text}\n").main for text in (said, "at turn 3, Allied combat"))
    assert one[0].content == other[0].content


@pytest.mark.parametrize(
    "said",
    [
        "place Cadogan at 2517 (disordered)",
        "place Cadogan in 2517, disordered",
        "place the Cadogan 2517 with disorder",
        "place Cadogan is disordered on hex 2517",
        "place Cadogan in hex 2517 in disorder",
        "place Cadogan on 2517 with a disorder marker",
        "Cadogan is at 2517, disordered",
        "put Cadogan on 2517 disordered",
    ],
)
def test_a_counter_is_placed_in_other_words(said: str) -> None:
    text = f"game vitoria1813\n{said}\n"
    assert parse(text).main == parse("game vitoria1813\nplace uk-cadogan on 2517 disordered\n").main


@pytest.mark.parametrize(
    "said", ["! illegal: 7.1e, 7.1f", "! illegal (7.1e/7.1f)", "! illegal 7.1e and 7.1f"]
)
def test_an_expectation_is_punctuated_freely(said: str) -> None:
    text = "game vitoria1813\nattack 2617 with uk-cadogan "
    assert parse(f"{text}{said}\n").main == parse(f"{text}! illegal 7.1e 7.1f\n").main


AFTER_AN_ATTACK = [
    ("patton1943", "attack 8416 with de-10pz", "fly de-air1", "fly de-air1 to 8416"),
    ("patton1943", "attack 8416 with de-10pz", "fly de-air1", "de-air1 flies to 8415"),
    ("patton1943", "attack 8416 with de-10pz", "fly de-air1", "de-air1 supports the attack on 8416"),
    ("patton1943", "attack 8416 with de-10pz", "advance de-10pz ..8416", "10th Panzer advances"),
    ("patton1943", "attack 8416 with de-10pz", "lose us-1", "us-1 takes a hit"),
    ("patton1943", "attack 8416 with de-10pz", "air winner allied", "Allies win the air combat"),
    ("patton1943", "attack 8416 with de-10pz", "no air allied", "The Allies decline air support"),
    ("patton1943", "attack 8416 with de-10pz", "roll defence 9", "the defender rolls a 9"),
    ("tunisia1943", "attack 1614 with de-pz5", "result DD", "DD"),
    ("tunisia1943", "attack 1614 with de-pz5", "result DD", "DD result"),
    ("tunisia1943", "attack 1614 with de-pz5", "odds 3/1", "3:1"),
    ("tunisia1943", "attack 1614 with de-pz5", "roll combat 4", "4"),
    ("tunisia1943", "attack 1614 with de-pz5", "roll combat 4", "I roll a 4"),
    ("tunisia1943", "attack 1614 with de-pz5", "aviation axis 0", "no Axis aviation"),
    ("tunisia1943", "attack 1614 with de-pz5", "aviation axis 0", "the Axis commits no aviation"),
    ("tunisia1943", "attack 1614 with de-pz5", "no artillery allied", "the Allies place no artillery"),
    ("tunisia1943", "attack 1614 with de-pz5", "attack 1714 with de-fjr5", "Koch attacks 1714 from 1715"),
    ("postcard1943", "attack B4 with pz10", "intercept B4 with meaaf", "meaaf intercepts"),
    ("postcard1943", "attack B4 with pz10", "call off", "attack on B4 is called off"),
    ("postcard1943", "attack B4 with pz10", "call off", "cancel the attack on B4"),
    ("postcard1943", "attack B4 with pz10", "no retreat", "the defender will not retreat"),
    ("postcard1943", "attack B4 with pz10", "call off", "cancel"),
    ("postcard1943", "attack B4 with pz10", "bomb uk78 with lw-afrika", "LW Afrika bombs British 78th"),
    ("postcard1943", "attack B4 with pz10", "disrupt uk78", "put a Disrupted marker on British 78th"),
    ("postcard1943", "attack B4 with pz10", "roll combat 5", "the die shows 5"),
    ("postcard1943", "attack B4 with pz10", "odds 2:1", "odds: 2-1 after shift"),
    ("postcard1943", "attack B4 with pz10", "next", "done"),
    ("vitoria1813", "attack 2617 with uk-cadogan", "displace fr-morgan ..2918", "Morgan makes room to 2918"),
    (
        "vitoria1813",
        "attack 2617 with uk-cadogan",
        "retreat fr-rey 2617-2717",
        "Rey goes back 1 hex, 2617-2717",
    ),
    ("vitoria1813", "attack 2617 with uk-cadogan", "lead uk-hill", "Hill leads the attack"),
    ("vitoria1813", "attack 2617 with uk-cadogan", "eliminate fr-rey", "Rey has been eliminated"),
    (
        "vitoria1813",
        "attack 2617 with uk-cadogan",
        "advance uk-cadogan ..2617",
        "Cadogan occupies the vacated hex",
    ),
    ("vitoria1813", "attack 2617 with uk-cadogan", "recover fr-rey", "Rey recovers from disorder"),
]


@pytest.mark.parametrize(("game", "attack", "said", "loosely"), AFTER_AN_ATTACK)
def test_what_follows_an_attack_need_not_name_its_hex(
    game: str, attack: str, said: str, loosely: str
) -> None:
    one, other = (parse(f"game {game}\n{attack}\n{text}\n").main[1].content for text in (said, loosely))
    assert other == one


NOT_CLEAR = [
    ("fly de-air1 to 8723", "no attack on that hex"),
    ("hit", "of the attack or of the defence"),
    ("no air support", "of which side"),
    ("10th Panzer attacks 8416 and 8723", "one attack has one hex"),
    ("attack roll 8723", "a hex and no die"),
]


@pytest.mark.parametrize(("said", "why"), NOT_CLEAR)
def test_what_is_not_clear_is_refused(said: str, why: str) -> None:
    with pytest.raises(BadInput):
        parse(f"game patton1943\nattack 8416 with de-10pz\n{said}\n")


HITS = [
    ("roll attack 4", "attack result hit", "hit"),
    ("roll attack 4", "attack result hit", "it is a hit"),
    ("roll attack 4", "attack result miss", "it misses"),
    ("roll defence 11", "defence result miss", "a miss"),
    ("roll defence 11; defence total 1", "defence result miss", "miss"),
    ("roll attack 4 battle 1", "attack result hit battle 1", "hit"),
]


@pytest.mark.parametrize(("rolls", "said", "loosely"), HITS)
def test_a_hit_or_a_miss_is_that_of_the_last_roll(rolls: str, said: str, loosely: str) -> None:
    begun = f"game patton1943\nattack 8416 with de-10pz; {rolls}"
    one, other = (parse(f"{begun}\n{text}\n").main[-1].content for text in (said, loosely))
    assert other == one


def test_a_hit_is_not_that_of_a_roll_in_an_earlier_battle() -> None:
    with pytest.raises(BadInput):
        parse("game patton1943\nattack 8416 with de-10pz; roll attack 4; attack 8113 with de-15pz; hit\n")


@pytest.mark.parametrize("game", ["postcard1943", "tunisia1943", "vitoria1813"])
@pytest.mark.parametrize("said", ["odds 13 to 4", "the odds are 7 to 4"])
def test_sums_that_are_no_multiple_of_a_column_are_not_taken_for_one(game: str, said: str) -> None:
    """Players may mean the strengths, which are announced beside the column."""
    with pytest.raises(BadInput):
        parse(f"game {game}\n{said}\n")


def test_a_name_of_several_counters_is_refused_with_their_ids() -> None:
    with pytest.raises(
        BadInput, match="several counters may be meant by '1st Infantry': one of us-1, us-1-2s"
    ):
        parse("game patton1943\n1st Infantry attacks 8113\n")


def test_an_advance_after_two_attacks_names_its_hex() -> None:
    with pytest.raises(BadInput):
        parse("game tunisia1943\nattack 1614 with de-pz5\nattack 1714 with de-fjr5\nKoch advances\n")


JOINED = [
    ("vitoria1813", "move fr-digeon 2217-2317; charge fr-digeon", "Digeon moves 2217-2317 and charges"),
    ("vitoria1813", "lose fr-rey 1; lose fr-morgan 1", "Rey and Morgan lose one step each"),
    ("vitoria1813", "lose fr-rey 2; lose fr-morgan 2", "Rey and Morgan each lose two steps"),
    ("vitoria1813", "attack 2617 with uk-byng; also 2717", "Byng attacks 2617 and 2717"),
    ("vitoria1813", "attack 2617 with uk-byng; also 2717", "Byng attacks 2617, and also 2717"),
    ("postcard1943", "move pz10 B5-C5; attack B4 with pz10", "pz10 moves B5-C5 and attacks B4"),
    ("patton1943", "swap us-1-2s on us-1", "swap us-1 for us-1-2s"),
    ("patton1943", "swap us-1-2s on us-1", "swap us-1-2s for us-1"),
    ("patton1943", "swap us-1-2s on us-1", "replace us-1 with us-1-2s"),
    ("patton1943", "battlegroup us-bg1 on us-1", "replace us-1 with us-bg1"),
]


@pytest.mark.parametrize(("game", "said", "loosely"), JOINED)
def test_two_actions_may_be_said_in_one(game: str, said: str, loosely: str) -> None:
    one, other = (parse(f"game {game}\n{text} ! legal\n").main for text in (said, loosely))
    assert [each.content for each in other] == [each.content for each in one]
    assert [each.expected for each in other] == [each.expected for each in one]


def test_the_end_of_a_phase_is_that_of_the_phase_under_way() -> None:
    said = "end of Axis battles; the Axis player ends his return phase"
    ended, named = parse(f"game patton1943\nat turn 3, Axis battles\n{said}\n").main[1:]
    assert (ended.content, named.content) == (Action("next"), Action("next"))
    for wrong in ("end of the movement phase", "begin Axis battles"):
        with pytest.raises(BadInput):
            parse(f"game patton1943\nat turn 3, Axis battles\n{wrong}\n")
    _, named = parse("game patton1943\nat turn 3, Axis battles\nbegin Axis return\n").main
    assert named.content == Action("next", clock=Clock(3, 2))


def test_counters_stand_somewhere_only_before_the_first_action() -> None:
    with pytest.raises(BadInput):
        parse("game vitoria1813\nat turn 3, Allied movement\nmove uk-byng 2517-2617\nCadogan is at 2517\n")


def test_a_state_is_no_box() -> None:
    said = "game vitoria1813\nplace fr-rey on 2517 in rout\n"
    assert parse(said).main == parse("game vitoria1813\nplace fr-rey on 2517 routed\n").main


def test_a_phase_may_be_at_its_start() -> None:
    said = "game vitoria1813\nat the start of turn 3, Allied combat\n"
    assert parse(said).main == parse("game vitoria1813\nat turn 3, Allied combat\n").main


def test_a_unit_on_the_map_enters_a_hex_by_moving() -> None:
    said = "game vitoria1813\nat turn 3, Allied movement\nplace uk-byng on 2517\nByng enters 2617\n"
    assert parse(said).main == parse(said.replace("Byng enters 2617", "move uk-byng ..2617")).main


def test_units_in_two_hexes_are_two_targets() -> None:
    said = (
        "game vitoria1813\nat turn 3, Allied combat\nplace uk-byng on 2517\nplace fr-rey on 2616\n"
        "place fr-morgan on 2617\n"
    )
    two = parse(f"{said}Byng attacks Rey and Morgan\n").main
    meant = parse(f"{said}attack fr-rey with uk-byng\nalso fr-morgan\n").main
    assert [one.content for one in two] == [one.content for one in meant]


@pytest.mark.parametrize("said", ["the Allies end their movement", "Allied movement ends", "end of movement"])
def test_a_phase_ends_in_several_words(said: str) -> None:
    text = f"game vitoria1813\nat turn 3, Allied movement\n{said}\n"
    assert parse(text).main == parse(text.replace(said, "next")).main
