"""What people see of a game of On a Scale of One to T-Rex."""

import itertools
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from dino_envs.engine import FORFEITED, TERMINATED, TRUNCATED
from dino_envs.games import drawing as draw
from dino_envs.games.scale_of_trex import GAME, faces, render, seats, words
from dino_envs.games.scale_of_trex.deck import COLOURS, MAX_ACTION_CARDS

FOUR = "orange 6, blue 5, yellow 1, blue 9"
HIDDEN_FROM_ALL = ("bias", "acts", "stream", "turned_up", "levels", "drift")
OWN_LOOKS = ("signal", "total", "unrest", "calibration")


def texts(svg):
    """Returns the texts of a picture."""
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def line(table, player, seat=None):
    """Returns a player's line in the table, each blank once."""
    shown = render.text(table.state, seat)
    found = re.search(rf"^[>! ] {player}(?: you)? .*$", shown, re.MULTILINE)
    return " ".join(found[0].split())


def unwrapped(state, seat=None):
    """Returns the text as one line."""
    return " ".join(render.text(state, seat).split())


def meaning(table, name, seat=0):
    assert name in table.legal, table.legal
    return render.action_text(table.state, GAME.view.action_number(name), seat)


def named(table, *actions):
    """Puts action cards into play by their names, as readable as those that lie there."""
    for action in actions:
        colour = next(c for c, names in enumerate(words.ACTION_NAMES) if action in names)
        card, sigma = words.ACTION_NAMES[colour].index(action), table.sigma[COLOURS[colour]]
        table.state.in_play[colour], table.state.sigma[colour, card] = card, sigma
    return table


# --- The actions -------------------------------------------------------------------------------


def test_every_action_card_has_a_name_of_its_own():
    names = [name for cards in words.ACTION_NAMES for name in cards]
    assert len({*names}) == len(COLOURS) * MAX_ACTION_CARDS
    assert [cards[0] for cards in words.ACTION_NAMES] == [
        "Be a T-Rex",
        "Flex your muscles",
        "Draw a circle in the air",
    ]


@pytest.mark.parametrize(
    ("position_of", "name", "said"),
    [
        ({"levels": [0, 5, 1, 9]}, "perform 6", 'perform "Be a T-Rex" at level 6'),
        ({}, "perform 7", 'perform "Be a T-Rex" at level 7'),
        ({}, "perform 6", "go on at level 6"),
        ({}, "offer +3", "offer the card to player 3"),
        ({"offers": {3: 0}}, "offer +3", "offer the card to player 3, who offers theirs"),
        ({"offers": {0: 2}}, "withdraw", "take back the offer to player 2"),
        ({}, "skip", "skip the card"),
    ],
)
def test_an_action_is_told_in_the_words_of_the_position(position_of, name, said, position):
    table = named(position(FOUR, **position_of), "Be a T-Rex")
    assert meaning(table, name) == said


def test_a_swap_names_the_action_card(position):
    table = named(position(f"swap any, {FOUR}"), "Flex your muscles")
    assert meaning(table, "swap blue") == 'swap "Flex your muscles" (blue)'


def test_two_players_call(position):
    table = position("blue 3, blue 4", calls=["-", "no_match"])
    assert meaning(table, "call match") == "call a match"
    assert meaning(table, "call no_match") == "call no match, as player 1 does"
    table = position("blue 3, blue 4", calls=["match", "-"])
    assert meaning(table, "withdraw") == "take back the call"


def test_another_s_act_is_hidden_until_the_tick_ends(position):
    table = position(FOUR, offers={0: 1})
    for name, seat in itertools.product(table.legal, (None, 1, 2, 3)):
        assert meaning(table, name, seat) == "commit an act"


@pytest.mark.parametrize("players", [2, 3, 8])
def test_every_legal_action_has_a_meaning_of_its_own(players, lively_walk):
    for table, _ in itertools.islice(lively_walk(1, num_players=players), 300):
        meanings = [meaning(table, name, table.mover) for name in table.legal]
        assert len({*meanings}) == len(meanings)
        assert max(map(len, meanings), default=0) <= 60


# --- Text --------------------------------------------------------------------------------------


def test_a_position_as_text(position):
    table = position(
        "orange 6, blue 5, yellow 1, swap any",
        offers={1: 2},
        tokens=[(5, 2), (0, 0), (3, 4), (0, 0)],
        discards="orange 3 x 2, blue 4, swap blue x 3",
        skipped={0: "yellow 9", 2: "yellow 4"},
        sigma=[5, 14, 20],
        good_pile=12,
        bad_pile=4,
    )
    named(table, "Be a T-Rex", "Flex your muscles", "Draw a circle in the air")
    state = table.state
    state.signal[1], state.total[1], state.signals[1] = 660, 1640, 2
    state.calibration[1], state.calibrated[1] = 240, 2
    state.unrest[1], state.unrest_sigma[1], state.changes[1] = 300, 0, 2
    assert render.text(state, 0) == TEXT


TEXT = """\
Player 0 (you) to move: tick 11 of at most 300: perform, offer or skip
Tokens in the middle: 12 good, 4 bad

Action cards in play
  orange  Be a T-Rex                  clear 0.5
  blue    Flex your muscles           fair 1.4
  yellow  Draw a circle in the air    murky 2.0

  player tokens performs 0....5....10 last mean for off      unrest offers
> 0 you  5-2=3  orange                -    -    1   -        -      -
  1      0-0=0  blue            o|     6.6  8.2 2   +1.2 (2) +1.5   2
  2      3-4=-1 yellow    *            1.0  1.0 1   -        -      -
  3      0-0=0  any swap              -    -    -   -        -      -

Your card: orange 6, performed at level 6, for 1 tick so far

Draw pile: 67 cards. Discards: 8
  orange  3x2
  blue    4
  yellow  9, face down 1
  swaps   3
"""


def test_a_new_card_is_not_told_before_it_is_performed(position):
    table = position(FOUR, levels=[0, 0, 1, 9])
    assert line(table, 1, seat=0) == "1 0-0=0 new card - - - - - -"
    assert "Your card: orange 6, not performed yet" in render.text(table.state, 0)
    assert "perform the new card" in render.text(table.state, 1)
    assert "Your card: a swap of any colour" in render.text(
        position("swap any, blue 1, blue 2").state, 0
    )


def test_the_scale_reaches_from_0_to_11(position):
    table = position(FOUR)
    for player, (last, total) in {1: (0, 49), 2: (1100, 1049), 3: (550, 550)}.items():
        table.state.signal[player], table.state.total[player] = last, total
    lines = render.text(table.state, 0).splitlines()
    head = next(i for i, line in enumerate(lines) if "0....5....10" in line)
    start, rows = lines[head].index("0....5"), lines[head + 2 : head + 5]
    assert [row[start : start + 12] for row in rows] == [
        "*           ",
        "          |o",
        "      *     ",
    ]


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("orange 6, blue 6", "orange 6 and blue 6: exact match, +2 each"),
        ("orange 6, blue 7", "orange 6 and blue 7: near match, +1 each"),
        ("orange 1, blue 10", "orange 1 and blue 10: no match, -1 each"),
    ],
)
def test_what_the_last_tick_revealed_is_told(cards, said, position):
    table = position(f"{cards}, yellow 2", offers={0: 1}).tick("", "offer +2")
    assert f"Last tick: 0 and 1 turned over {said}" in unwrapped(table.state)
    shown = texts(render.svg(table.state))
    assert said.partition(": ")[2] in shown
    assert {"0:", "1:"} <= {*shown}
    table.tick()
    assert "Last tick" not in render.text(table.state)


@pytest.mark.parametrize(
    ("cards", "call", "said", "headline"),
    [
        ("orange 6, blue 6", "match", "exact match, called right", "Player 0 to move"),
        ("orange 6, blue 8", "no_match", "no match, called right", "Player 0 to move"),
        ("orange 6, blue 7", "no_match", "near match, but called no match", "The players lose"),
        ("orange 6, blue 8", "match", "no match, but called a match", "The players lose"),
    ],
)
def test_two_players_are_told_whether_they_called_right(cards, call, said, headline, position):
    table = position(cards, calls=[call, "-"])
    assert line(table, 0, seat=1).split()[-1] == call.partition("_")[2] or call
    table.tick("", f"call {call}")
    assert said in unwrapped(table.state)
    assert said in texts(render.svg(table.state))
    assert render.text(table.state).startswith(headline)


def test_endings_are_told(position):
    table = position(FOUR, offers={0: 1}, good_pile=4, tokens=[(3, 0), (2, 0), (1, 0), (5, 1)])
    table.state.hand[1] = 5
    table.tick("", "offer +3")
    shown = unwrapped(table.state, 0)
    assert shown.startswith("Player 0 (you) wins with 5 points: the game is over after 11 ticks")
    assert "no good tokens are left" in shown
    assert line(table, 0).startswith("! 0 5-0=5 - ")
    table.state.ending = TRUNCATED
    assert "the game was cut after 11 ticks" in unwrapped(table.state)
    table.state.ending = FORFEITED
    assert "loses by an illegal action" in unwrapped(table.state)
    table = position("blue 4, blue 5", calls=["match", "-"], good_pile=1).tick("", "call match")
    assert "win together: the game is over after 11 ticks: all tokens" in unwrapped(table.state)


def test_the_signs_of_the_text_are_explained_aside():
    assert GAME.view.signs is render.SIGNS
    for sign in (">", "o", "|", "off", "unrest", "5-2=3", "3x2"):
        assert sign in render.SIGNS


# --- What is hidden ----------------------------------------------------------------------------


def views(state, seat):
    return render.text(state, seat), render.svg(state, seat)


def rich(position, **options):
    """Returns a position in which there is something to hide."""
    return position(
        "orange 6, blue 5, yellow 1, orange 9, blue 3",
        levels=[6, 4, 1, 0, 3],
        offers={1: 2, 2: 0},
        discards="orange 3, blue 4",
        skipped={1: "blue 7", 2: "yellow 7, orange 2"},
        ticks=3,
        **options,
    )


@pytest.mark.parametrize("seat", [None, 0, 1, 4])
def test_what_is_hidden_is_not_shown(seat, position):
    table = rich(position)
    before = views(table.state, seat)
    state = table.state
    for field in HIDDEN_FROM_ALL:
        state[field] += 1
    for other in range(table.players):
        if other == seat:
            for field in OWN_LOOKS:
                state[field][other] += 137
            continue
        state.level[other] = state.level[other] and state.level[other] % 10 + 1
        state.hand[other] = state.hand[other] // 10 * 10 + (state.hand[other] + 1) % 10
        state.skipped[other] = np.roll(state.skipped[other].reshape(3, 10), 1, axis=1).ravel()
    state.hand[3] = 25
    state.pile[:30] = state.pile[:30][::-1].copy()
    assert views(state, seat) == before


@pytest.mark.parametrize("players", [2, 5])
def test_a_redeal_looks_the_same(players, lively_walk):
    for table, _ in itertools.islice(lively_walk(3, num_players=players), 0, 400, 7):
        for seat in range(players):
            assert views(table.redeal(seat, 5).state, seat) == views(table.state, seat)


def test_what_is_seen_is_shown(position):
    table = rich(position)
    before = views(table.state, 0)
    for field, index, value in [
        ("signal", 1, 900),
        ("total", 1, 2000),
        ("signals", 1, 9),
        ("calibrated", 1, 9),
        ("offer", 1, 4),
        ("hand", 0, 8),
        ("level", 0, 9),
        ("good", 4, 7),
        ("good_pile", (), 3),
        ("tick", (), 99),
        ("discards", 0, 2),
        ("skipped", (0, 5), 1),
        ("pile", 3, 0),
    ]:
        changed = table.copy()
        if index == ():
            changed.state[field] = value
        else:
            changed.state[field][index] = value
        for shown, unchanged in zip(views(changed.state, 0), before, strict=True):
            assert shown != unchanged, field


def test_open_cards_are_shown_to_all(position):
    table = rich(position, cards="open")
    for seat in (None, 0):
        assert "orange 9" in line(table, 3, seat)
        assert "blue 5" in line(table, 1, seat)
        assert {"9", "5", "3"} <= {*texts(render.svg(table.state, seat))}
    before = views(table.state, 0)
    table.state.level[1] = 9
    assert views(table.state, 0) == before, "the level is hidden"


# --- The picture -------------------------------------------------------------------------------


def test_the_picture_says_the_same(position):
    table = rich(position, tokens=[(5, 2), (0, 1)])
    named(table, "Be a T-Rex", "Flex your muscles")
    shown = texts(render.svg(table.state, 0))
    assert {"Player 0 (you) to move", "Be a T-Rex", "Flex your muscles"} <= {*shown}
    assert {"Player 0 (you)", "orange, level 6, 3 ticks", "blue, 3 ticks"} <= {*shown}
    assert {"only the others see how you look", "has a new card"} <= {*shown}
    assert {"last 4.0", "mean 4.0 ± 0.6", "nothing revealed yet"} <= {*shown}


def test_offers_are_arrows(position):
    table = rich(position)
    seen = words.everybody(table.state, None)
    assert len(seats._offers(seen, seats._places(5))) == 2


@pytest.mark.parametrize("players", range(2, 9))
def test_seats_do_not_overlap(players):
    places, width = seats._places(players), seats._width(players)
    assert len({*places}) == players
    for (x, y), (other, below) in itertools.combinations(places, 2):
        assert abs(x - other) >= width or abs(y - below) >= seats._PANEL + 100
    assert all(width / 2 <= x <= seats.WIDTH - width / 2 for x, _ in places)


def test_two_players_call_in_bubbles(position):
    shown = texts(render.svg(position("blue 3, blue 4", calls=["match", "no_match"]).state))
    assert {"a match!", "no match!"} <= {*shown}


def test_winners_get_a_star_and_colour(position):
    table = position(FOUR, tokens=[(1, 0), (3, 0), (0, 1), (2, 0)])
    assert draw.GOLD not in render.svg(table.state)
    table.state.ending = TERMINATED
    assert render.svg(table.state).count(draw.GOLD) == 2, "the headline and the winner"


# --- Sizes -------------------------------------------------------------------------------------


def crowded(position, players):
    """Returns a position in which everything is as long as it can be."""
    table = position(
        ", ".join(["yellow 10"] * players),
        copies=4,
        ticks=300,
        pile="orange 1 x 99",
        discards=", ".join(f"{colour} {value} x 3" for colour in COLOURS for value in range(1, 11)),
        skipped=dict.fromkeys(range(players), "blue 10 x 9, yellow 9 x 9"),
        tokens=[(12, 13)] * players,
        offers={} if players == 2 else {seat: (seat + 3) % players for seat in range(players)},
        calls=["no_match"] * players if players == 2 else (),
        good_pile=0,
        tick=9999,
        max_ticks=10_000,
        cards="open",
    )
    state = table.state
    for colour, names in enumerate(words.ACTION_NAMES):
        state.in_play[colour] = max(range(len(names)), key=lambda card: len(names[card]))
        state.sigma[colour, state.in_play[colour]] = 50
    state.signal[:], state.total[:], state.variance[:] = 1100, 300 * 1099, 30_000
    state.calibrated[:], state.calibration[:] = 99, -99 * 1000
    state.changes[:], state.unrest[:] = 999, 999 * 1000
    if players > 2:
        state.partner[:players] = [
            seat ^ 1 if seat ^ 1 < players else -1 for seat in range(players)
        ]
        state.revealed[:players] = [9, 19] * (players // 2) + [-1] * (players % 2)
    return table


@pytest.mark.parametrize("players", [2, 3, 8])
@pytest.mark.parametrize("seat", [None, 1])
def test_all_lines_fit_a_terminal(players, seat, position):
    state = crowded(position, players).state
    for ending in (0, TERMINATED, TRUNCATED, FORFEITED):
        state.ending = ending
        assert max(map(len, render.text(state, seat).splitlines())) <= 80


@pytest.fixture(scope="module")
def rasterise():
    """Returns the function that turns a picture into pixels."""
    return pytest.importorskip("dino_envs.views.picture").rasterise


def margin_is_empty(rasterise, svg, margin=40):
    root = ElementTree.fromstring(svg)
    width, height = int(root.get("width")), int(root.get("height"))
    root.set("width", str(width + 2 * margin))
    root.set("height", str(height + 2 * margin))
    root.set("viewBox", f"{-margin} {-margin} {width + 2 * margin} {height + 2 * margin}")
    pixels = rasterise(ElementTree.tostring(root, encoding="unicode"))
    pixels[margin:-margin, margin:-margin] = 255
    return bool((pixels == 255).all())


@pytest.mark.parametrize("players", [2, 3, 8])
def test_everything_is_drawn_within_the_picture(players, position, rasterise):
    state = crowded(position, players).state
    assert margin_is_empty(rasterise, render.svg(state, 1))
    for seen in words.everybody(state, 1):
        width = seats._width(players)
        panel = draw.group(seats._panel(state, seen, 1, width), x=2, y=2)
        svg = draw.document(round(width) + 4, seats._PANEL + 4, "", panel)
        assert margin_is_empty(rasterise, svg)


def test_the_longest_name_fits_on_its_card(rasterise):
    for colour, names in enumerate(words.ACTION_NAMES):
        for name in names:
            card = draw.group(faces.action_card(colour, 304, 70, name, "fair"), x=2, y=2)
            assert margin_is_empty(rasterise, draw.document(308, 74, "", card))


def test_colours_have_symbols_of_their_own(rasterise):
    seen = {
        rasterise(draw.document(30, 30, "", faces.symbol(c, 15, 15, 20, draw.INK))).tobytes()
        for c in range(len(COLOURS))
    }
    assert len(seen) == len(COLOURS)
