"""Shows a position of On a Scale of One to T-Rex to people as text, and tells its actions.

Neither depends on what is hidden: others' cards, levels and ideas of the scale, what is committed
in the running tick, and how who looks looks to the others.
"""

from __future__ import annotations

from typing import Any

from dino_envs.games.scale_of_trex import layout
from dino_envs.games.scale_of_trex.deck import ANY_SWAP, COLOURS, LEVELS, TOGETHER_TOKENS
from dino_envs.games.scale_of_trex.layout import NO_CALL, NOBODY
from dino_envs.games.scale_of_trex.picture import svg
from dino_envs.games.scale_of_trex.rules import seat_after
from dino_envs.games.scale_of_trex.words import (
    CALLS_IN_WORDS,
    Acting,
    Average,
    Looks,
    acting,
    action_card,
    card_name,
    consequence,
    discarded,
    everybody,
    face_down,
    pile_size,
    readable,
    reveals,
    seen_discards,
    sigma_of,
    situation,
    swaps_discarded,
    won_together,
)
from dino_envs.games.standing import counted, headline, join, moves, winners, wrapped

__all__ = ["SIGNS", "action_text", "round_text", "svg", "text"]

_RULER = "0....5....10"
"""The scale, a letter a level; who looks higher than 10 is at its end."""

SIGNS = {
    ">": "who is to move",
    "!": "who has won",
    _RULER: "the scale: a character for each level from 0 to 11",
    "o": "how high the acting looked last",
    "|": "how high it looked on average; * where that is the same as the last",
    "5-2=3": "good tokens less bad ones: the points",
    "for": "for how many ticks the present card has been performed",
    "off": "how much higher than their values the revealed cards looked, over so many signals",
    "unrest": "how much more the acting changes from tick to tick than noise explains",
    "clear 0.5": "how the acting of a colour varies, in levels: clear, fair or murky",
    "offers": "to whom the card is offered",
    "3x2": "two cards with a 3",
}
"""What the signs of the text mean."""

# --- The actions -------------------------------------------------------------------------------

_SECRET = "commit an act"


def action_text(state: Any, action: int, seat: int | None = None) -> str:
    """Returns what a legal action means here: `perform "Be a T-Rex" at level 6`.

    Of another's action nothing is told: all acts are hidden until the tick ends.
    """
    mover = int(state.current_player)
    if seat != mover:
        return _SECRET
    block, index = layout.ACTIONS.locate(action)
    if block == "perform":
        return _perform(state, mover, index + 1)
    if block == "offer":
        return _offer(state, mover, int(seat_after(state, mover, index + 1)))
    if block == "call":
        return _call(state, mover, index + layout.MATCH)
    if block == "swap":
        return f'swap "{action_card(state, index)}" ({COLOURS[index]})'
    if block == "skip":
        return "skip the card"
    if state.cooperative:
        return "take back the call"
    return f"take back the offer to player {state.offer[mover]}"


def _perform(state: Any, mover: int, level: int) -> str:
    if state.level[mover] == level:
        return f"go on at level {level}"
    name = action_card(state, int(state.hand[mover]) // LEVELS)
    return f'perform "{name}" at level {level}'


def _offer(state: Any, mover: int, other: int) -> str:
    """Returns the words for an offer, and whether it answers one."""
    answers = ", who offers theirs" if state.offer[other] == mover else ""
    return f"offer the card to player {other}{answers}"


def _call(state: Any, mover: int, call: int) -> str:
    agrees = f", as player {1 - mover} does" if state.call[1 - mover] == call else ""
    return f"call {CALLS_IN_WORDS[call]}{agrees}"


# --- Text --------------------------------------------------------------------------------------


def text(state: Any, seat: int | None = None) -> str:
    """Returns the position as lines of text, as `seat` sees it."""
    lines = [
        *wrapped(f"{headline(state, seat, won_together(state))}: {situation(state)}"),
        *wrapped(_tokens(state)),
        *_revealed(state),
        "",
        *_actions(state),
        "",
        *_table(state, seat),
    ]
    if seat is not None:
        lines += ["", *wrapped(f"Your card: {_own_card(acting(state, seat, seat))}")]
    return "\n".join([*lines, "", *_discards(state, seat)]) + "\n"


def _tokens(state: Any) -> str:
    if state.cooperative:
        return f"Tokens: {state.good_pile} of {TOGETHER_TOKENS} left to move"
    return f"Tokens in the middle: {state.good_pile} good, {state.bad_pile} bad"


def _turned_over(state: Any) -> list[str]:
    """Returns words for each pair of cards that the last tick showed."""
    found = []
    for reveal in reveals(state):
        cards = join(card_name(kind) for kind in reveal.kinds)
        said = f"{join(reveal.players)} turned over {cards}: {reveal.match}"
        found.append(f"{said}, {consequence(state, reveal)}")
    return found


def _revealed(state: Any) -> list[str]:
    """Returns lines for the cards that the last tick showed."""
    return [line for said in _turned_over(state) for line in wrapped(f"Last tick: {said}")]


def round_text(state: Any) -> str:
    """Returns what all have seen of the tick that is just over: `Tick 7: 2 offers to 0`."""
    told = _turned_over(state)
    for player in range(int(state.num_players)):
        if state.hand[player] == ANY_SWAP:
            told.append(f"{player} has drawn a swap of any colour")
        elif state.call[player] != NO_CALL:
            told.append(f"{player} calls {CALLS_IN_WORDS[int(state.call[player])]}")
        elif state.offer[player] != NOBODY:
            told.append(f"{player} offers to {state.offer[player]}")
        elif state.level[player] == 0 and state.partner[player] == NOBODY:
            told.append(f"{player} has a new card")
    return f"Tick {state.tick}: {'; '.join(told) or 'no offers'}"


def _actions(state: Any) -> list[str]:
    """Returns a line for each action card in play."""
    lines = ["Action cards in play"]
    for colour, name in enumerate(COLOURS):
        sigma = sigma_of(state, colour)
        lines.append(f"  {name:<8}{action_card(state, colour):<28}{readable(sigma)} {sigma:.1f}")
    return lines


def _own_card(own: Acting) -> str:
    if own.swaps:
        return "a swap of any colour"
    if own.colour is None or own.value is None:
        return "none"
    name = f"{COLOURS[own.colour]} {own.value}"
    if not own.level:
        return f"{name}, not performed yet"
    return f"{name}, performed at level {own.level}, for {counted(own.ticks, 'tick')} so far"


def _discards(state: Any, seat: int | None) -> list[str]:
    """Returns lines for the draw pile and what is known of the discards."""
    seen, hidden = seen_discards(state, seat), face_down(state, seat)
    lines = [f"Draw pile: {counted(pile_size(state), 'card')}. Discards: {discarded(state)}"]
    for colour, name in enumerate(COLOURS):
        values = [f"{v + 1}x{n}" for v, n in enumerate(seen[colour * LEVELS :][:LEVELS]) if n]
        known = " ".join(values).replace("x1 ", " ").removesuffix("x1")
        unknown = f", face down {hidden[colour]}" if hidden[colour] else ""
        lines.append(f"  {name:<8}{known or '-'}{unknown}")
    return [*lines, f"  {'swaps':<8}{swaps_discarded(state) or '-'}"]


# --- The players -------------------------------------------------------------------------------


def _table(state: Any, seat: int | None) -> list[str]:
    """Returns a line for each player, in columns as wide as what stands there."""
    together = bool(state.cooperative)
    last = "calls" if together else "offers"
    head = ["player", "performs", _RULER, "last", "mean", "for", "off", "unrest", last]
    rows = [_row(state, seen, seat) for seen in everybody(state, seat)]
    if not together:
        head.insert(1, "tokens")
        for player, row in enumerate(rows):
            row.insert(1, _score(state, player))
    columns = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines, won = [], winners(state, won_together(state))
    for player, row in enumerate([head, *rows], -1):
        mark = " "
        if player >= 0:
            mark = ">" if moves(state, player) else "!" if player in won else " "
        cells = (f"{cell:<{width}}" for cell, width in zip(row, columns, strict=True))
        lines.append(f"{mark} {' '.join(cells)}".rstrip())
    return lines


def _row(state: Any, seen: Acting, seat: int | None) -> list[str]:
    """Returns the cells of a player, without the tokens."""
    name = f"{seen.player}{' you' if seen.player == seat else ''}"
    looks, offered = seen.looks, seen.offers_to
    if state.cooperative:
        last = seen.calls.removeprefix("a ") or "-"
    else:
        last = "-" if offered is None else str(offered)
    return [
        name,
        _performs(seen),
        _scale(looks) if looks else "",
        f"{looks.last:4.1f}" if looks else "-",
        f"{looks.mean:4.1f}" if looks else "-",
        str(seen.ticks or "-"),
        _average(seen.off),
        seen.unrest.signed if seen.unrest else "-",
        last,
    ]


def _performs(seen: Acting) -> str:
    """Returns what a player performs, or why it does not, with the card's value if it is open."""
    if seen.swaps:
        return "any swap"
    if not seen.has_card:
        return "-"
    if seen.colour is None:
        return "new card"
    return COLOURS[seen.colour] + (f" {seen.value}" if seen.value and seen.level is None else "")


def _scale(looks: Looks) -> str:
    """Returns the scale with how an acting looked: `o` the last time, `|` on average."""
    cells = [" "] * len(_RULER)
    last, mean = (min(int(height + 0.5), len(cells) - 1) for height in (looks.last, looks.mean))
    cells[mean] = "|"
    cells[last] = "*" if last == mean else "o"
    return "".join(cells)


def _average(average: Average | None) -> str:
    return f"{average.signed} ({average.count})" if average else "-"


def _score(state: Any, player: int) -> str:
    """Returns good and bad tokens and the score: `5-2=3`."""
    return f"{state.good[player]}-{state.bad[player]}={state.score[player]}"
