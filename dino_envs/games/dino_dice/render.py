"""Shows a position of Dino Dice to people, as text and as a picture, and names its actions."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from dino_envs.engine.errors import UnknownActionError
from dino_envs.engine.layout import RUNNING, TRUNCATED
from dino_envs.games import drawing as draw
from dino_envs.games.dino_dice import rules
from dino_envs.games.standing import counted, headline, join, moves, player_name, winners, wrapped

SPECIES = {
    1: "Triceratops",
    2: "Ankylosaurus",
    rules.REX: "Rex",
    4: "Stegosaurus",
    5: "Edmontosaurus",
    6: "Brachiosaurus",
}
_COUNTS = ("no", "one", "two", "three", "four", "five")


@dataclass(frozen=True)
class _Alike:
    """Dice of one face that lie in play."""

    face: int
    first: int
    """The position of the first of them."""
    count: int
    points: int
    note: str
    """How the points come about."""
    is_herd: bool


def _alikes(state: Any) -> list[_Alike]:
    """Returns the dice in play by face, in their order on the table."""
    dice = [int(face) for face in state.dice[: state.in_play]]
    return [_alike(state, face, dice.index(face), dice.count(face)) for face in sorted({*dice})]


def _alike(state: Any, face: int, first: int, count: int) -> _Alike:
    if count == rules.DICE and (face != rules.REX or state.five_rexes):
        points = rules.HERD_OF_FIVE
        return _Alike(face, first, count, points, f"five alike: {points} points", True)
    if face == rules.REX:
        return _Alike(face, first, count, 0, "no points", False)
    points = int(rules.herd_points(face, count))
    if count == 1:
        return _Alike(face, first, count, points, counted(points, "point"), False)
    note = f"herd: {face * count} + {rules.HERD_BONUS[count]} = {points}"
    return _Alike(face, first, count, points, note, True)


def _turn_points(state: Any) -> int:
    return sum(alike.points for alike in _alikes(state))


# --- The actions -------------------------------------------------------------------------------


def action_name(action: int) -> str:
    """Returns an action's name: `stop`, `reroll 1,3` (positions from 1) or `eat 4` (the face)."""
    block, index = rules.ACTIONS.locate(action)
    if block == "reroll":
        return "reroll " + ",".join(str(position + 1) for position in _chosen(action))
    return f"eat {rules.HERBIVORES[index]}" if block == "eat" else block


def action_number(name: str) -> int:
    """Returns the action of a name that `action_name` gives.

    Raises:
        UnknownActionError: no action is called that; the message names the nearest.
    """
    number = _NUMBERS.get(name)
    if number is None:
        close = difflib.get_close_matches(name, _NUMBERS, 1)
        hint = f"did you mean {close[0]!r}?" if close else "say 'stop', 'reroll 1,3' or 'eat 4'"
        raise UnknownActionError(f"there is no action {name!r}; {hint}")
    return number


def action_text(state: Any, action: int, seat: int | None = None) -> str:
    """Returns what a legal action means here: `re-roll the 2 (Ankylosaurus) and both Rexes`.

    All players see it, so it is told every `seat` alike.
    """
    block, index = rules.ACTIONS.locate(action)
    if block == "stop":
        return f"stop and take {counted(_turn_points(state), 'point')}"
    alikes = _alikes(state)
    if block == "eat":
        face = rules.HERBIVORES[index]
        count = sum(alike.count for alike in alikes if alike.face == face)
        return f"feed {_some_of(face, 1, count)} to Rex"
    chosen = _chosen(action)
    if len(chosen) == rules.DICE:
        return "re-roll all five dice"
    parts = [
        _some_of(alike.face, rolled, alike.count)
        for alike in alikes
        if (rolled := sum(alike.first <= p < alike.first + alike.count for p in chosen))
    ]
    return "re-roll " + join(parts)


def _chosen(action: int) -> list[int]:
    """Returns the positions, from 0, that a re-roll rolls."""
    subset = action - rules.REROLL + 1
    return [position for position in range(rules.DICE) if subset >> position & 1]


def _some_of(face: int, some: int, count: int) -> str:
    """Returns the words for some of the dice of a face: `the 2 (Ankylosaurus)`, `both Rexes`."""
    if some < count:
        how_many = _COUNTS[some] if some == 1 else f"{_COUNTS[some]} of the {_COUNTS[count]}"
    else:
        how_many = ("the", "both")[count - 1] if count < 3 else f"all {_COUNTS[count]}"
    single = how_many in ("the", "one")
    if face == rules.REX:
        return f"{how_many} {'Rex' if single else 'Rexes'}"
    return f"{how_many} {face}{'' if single else 's'} ({SPECIES[face]})"


_NUMBERS = {action_name(action): action for action in range(rules.ACTIONS.size)}


# --- Words -------------------------------------------------------------------------------------


def text(state: Any, seat: int | None = None) -> str:
    """Returns the position as lines of text; `seat` is told which player it is."""
    lines = [*wrapped(f"{headline(state, seat)}: {_situation(state)}"), ""]
    for alike in _alikes(state):
        for i in range(alike.count):
            note = "  (same herd)" if alike.is_herd and i else alike.note
            name = f"{alike.face} {SPECIES[alike.face]}"
            lines.append(f"  die {alike.first + i + 1}: {name:<16}{note}")
    for face in state.dice[state.in_play :]:
        lines.append(f"  eaten: {int(face)} {SPECIES[int(face)]}")
    lines += [f"  {_stopping(state)}", ""]
    for player in range(int(state.num_players)):
        pointer = ">" if moves(state, player) else " "
        score, target = int(state.score[player]), int(state.target)
        bar = "#" * min(score * 20 // target, 20)
        line = f"{pointer} {player_name(player, seat):<15}{score:>4}/{target} [{bar:<20}] "
        lines.append((line + _mark(state, player)).rstrip())
    return "\n".join(lines) + "\n"


def _mark(state: Any, player: int) -> str:
    if player in winners(state):
        return "winner"
    if _has_last_turn(state, player):
        return "has a tie-break turn" if state.tie_broken else "has a last turn"
    return ""


def _has_last_turn(state: Any, player: int) -> bool:
    return bool(state.ending == RUNNING and state.last_turns >> player & 1)


def _situation(state: Any) -> str:
    """Returns what is to be decided, or how the game ended."""
    if state.ending != RUNNING:
        turns = "1 turn" if state.turns == 1 else f"{state.turns} turns"
        return f"the game {'was cut' if state.ending == TRUNCATED else 'is over'} after {turns}"
    left = "no roll" if state.rolls_left == 0 else f"{state.rolls_left} more roll"
    left += "s" if state.rolls_left > 1 else ""
    what = "stop or re-roll" if state.rolls_left else "stop"
    what = f"{'choose who is eaten' if state.to_eat else what} ({left} left)"
    if not state.last_turns:
        return what
    kind = "tie-break turn" if state.tie_broken else "last turn"
    return f"{what}; {kind}, {max(state.score)} points lead"


def _stopping(state: Any) -> str:
    """Returns what stopping now brings, or why it cannot be done yet."""
    points = counted(_turn_points(state), "point")
    if state.ending != RUNNING:
        return f"The last turn brought {points}."
    if state.to_eat:
        herbivores = "1 herbivore" if state.to_eat == 1 else f"{state.to_eat} herbivores"
        return f"Rex is hungry for {herbivores}."
    return f"Stopping now brings {points}."


# --- The picture -------------------------------------------------------------------------------

WIDTH, HEIGHT = 720, 420
_COLOURS = {
    1: "#d3382f",
    2: "#2a62c4",
    rules.REX: "#2e8b3d",
    4: "#23262b",
    5: "#d96f0a",
    6: "#7a3fa0",
}
_GREY, _TRAY, _WON, _FLAG = "#8f959b", "#efe7d3", "#fbe7b2", "#c8372d"

_DIE, _APART, _TOGETHER = 76, 14, 6
_THREE_CORNERS = "V64A12 12 0 0 1 64 76H12A12 12 0 0 1 0 64V12A12 12 0 0 1 12 0Z"
_WHOLE = "M12 0H64A12 12 0 0 1 76 12" + _THREE_CORNERS
_BITTEN = "M12 0H42A9 9 0 0 0 54 10A10 10 0 0 0 66 21A9 9 0 0 0 76 34" + _THREE_CORNERS
_LEFT, _INNER = 30, 442
_CARD_TOP, _CARD_HEIGHT = 70, 334
_BAR_LEFT, _BAR = 512, 178


def svg(state: Any, seat: int | None = None) -> str:
    """Returns the position as a picture; `seat` is told which player it is."""
    return draw.document(
        WIDTH,
        HEIGHT,
        f"Dino Dice: {headline(state, seat)}",
        _header(state, seat),
        draw.rect(16, _CARD_TOP, 470, _CARD_HEIGHT, draw.CARD, radius=12, stroke=draw.LINE),
        *_dice_in_play(state),
        _decision(state),
        _eaten_dice(state),
        draw.rect(498, _CARD_TOP, 206, _CARD_HEIGHT, draw.CARD, radius=12, stroke=draw.LINE),
        _scores(state, seat),
    )


def _header(state: Any, seat: int | None) -> str:
    over, title = state.ending != RUNNING, headline(state, seat)
    left, size = (60 if over else 20), (20 if len(title) < 38 else 16)
    parade = [
        draw.dinosaur(name, 494 + 36 * i, 31, 0.3, _COLOURS[face])
        for i, (face, name) in enumerate(SPECIES.items())
    ]
    return draw.group(
        draw.rect(0, 0, WIDTH, 58, _WON if over else draw.CARD),
        draw.star(34, 26, 14, draw.GOLD) if over else "",
        draw.text(left, 29, title, size, bold=True),
        draw.text(left, 48, _situation(state), 13, draw.FAINT),
        draw.text(704, 24, "Dino Dice", 15, bold=True, anchor="end"),
        *parade,
    )


def _die(face: int, x: float, y: float, *, eaten: bool = False) -> str:
    colour = _GREY if eaten else _COLOURS[face]
    fill = "#e3e3e1" if eaten else draw.CARD
    return draw.group(
        draw.path(_BITTEN if eaten else _WHOLE, fill, stroke=colour, stroke_width=2.5),
        draw.text(9, 31, face, 28, colour, bold=True),
        draw.dinosaur(SPECIES[face], 8, 32, 0.6, colour),
        x=x,
        y=y,
        scale=0.8 if eaten else 1,
    )


def _dice_in_play(state: Any) -> list[str]:
    """Draws the dice from left to right; herds lie on trays, those Rex may eat in dashed frames."""
    parts, x = [], float(_LEFT)
    for alike in _alikes(state):
        width = alike.count * (_DIE + _TOGETHER) - _TOGETHER
        if alike.is_herd:
            parts.append(draw.rect(x - 6, 80, width + 12, 134, _TRAY, radius=14))
        for i in range(alike.count):
            left, label = x + i * (_DIE + _TOGETHER), f"die {alike.first + i + 1}"
            parts.append(draw.text(left + _DIE / 2, 95, label, 11, draw.FAINT, anchor="middle"))
            parts.append(_die(alike.face, left, 106))
        if state.to_eat and alike.face != rules.REX:
            parts.append(_dashed(x - 5, 101, width + 10, 86, radius=16))
        colour, bold = (draw.INK, True) if alike.is_herd else (draw.FAINT, False)
        note = draw.text(x + width / 2, 204, alike.note, 13, colour, bold=bold, anchor="middle")
        parts.append(note)
        x += width + _APART
    return parts


def _dashed(x: float, y: float, width: float, height: float, radius: float) -> str:
    colour = _COLOURS[rules.REX]
    return draw.rect(
        x, y, width, height, radius=radius, stroke=colour, stroke_width=2.5, dash="7 5"
    )


def _decision(state: Any) -> str:
    hungry = bool(state.to_eat)
    parts = [
        draw.rect(_LEFT, 226, _INNER, 50, "#e2f0e3" if hungry else "#e6f0f4", radius=10),
        draw.text(_LEFT + 16, 257, _stopping(state), 16, bold=True),
    ]
    if state.ending == RUNNING:
        rolls = rules.REROLLS + 1
        for i in range(rolls):
            done = i < rolls - state.rolls_left
            fill = draw.ACCENT if done else draw.CARD
            parts.append(draw.rect(392 + 25 * i, 234, 18, 18, fill, radius=5, stroke=draw.ACCENT))
        label = f"roll {rolls - state.rolls_left} of {rolls}"
        parts.append(draw.text(426, 268, label, 12, draw.FAINT, anchor="middle"))
    return draw.group(*parts)


def _eaten_dice(state: Any) -> str:
    """Draws what Rex has eaten in this turn, and a place for each herbivore still to be eaten."""
    eaten = [int(face) for face in state.dice[state.in_play :]]
    rex = _COLOURS[rules.REX]
    title = "Eaten this turn" if eaten or state.to_eat else "Nobody is eaten so far"
    shade = rex if eaten or state.to_eat else "#d8cfb8"
    parts = [
        draw.rect(_LEFT, 288, _INNER, 104, _TRAY, radius=12),
        draw.text(_LEFT + 14, 309, title, 12),
        draw.dinosaur("Rex", _LEFT + 342, 319, 0.9, shade, looks_left=True),
    ]
    for i in range(len(eaten) + int(state.to_eat)):
        x = _LEFT + 14 + 66 * i
        if i < len(eaten):
            parts.append(_die(eaten[i], x, 320, eaten=True))
        else:
            parts.append(_dashed(x, 320, 61, 61, radius=10))
            parts.append(draw.text(x + 30.5, 360, "?", 26, rex, bold=True, anchor="middle"))
    return draw.group(*parts)


def _scores(state: Any, seat: int | None) -> str:
    """Draws a row for each player, and the target as a line through all their bars."""
    players, target = int(state.num_players), int(state.target)
    adds = _turn_points(state) if state.ending == RUNNING else 0
    best = max(int(max(state.score)) + adds, target * 1.1)
    scale, step, top = _BAR / best, min(52.0, 266 / players), 112
    goal = _BAR_LEFT + target * scale
    parts = [draw.text(_BAR_LEFT, 92, "Scores", 15, bold=True)]
    for player in range(players):
        parts.append(
            _row(state, player, player_name(player, seat), top + step * player, step, scale)
        )
        tick = top + step * (player + 0.5) + 1
        parts.append(draw.path(f"M{goal:.1f} {tick}v14", stroke=draw.INK, stroke_width=2))
    parts.append(draw.text(690, 92, f"| target {target}", 11, bold=True, anchor="end"))
    if state.ending == RUNNING and state.last_turns:
        kind = "tie-break" if state.tie_broken else "last"
        parts.append(draw.flag(_BAR_LEFT, 384, _FLAG))
        parts.append(draw.text(_BAR_LEFT + 16, 394, f"still has a {kind} turn", 11, draw.FAINT))
    return draw.group(*parts)


def _row(state: Any, player: int, name: str, y: float, step: float, scale: float) -> str:
    """Draws a player's name, score and bar, paler what stopping now would add."""
    score, mover = int(state.score[player]), moves(state, player)
    won = player in winners(state)
    top, parts = y + step / 2 - 14, []
    if won or mover:
        colour = _WON if won else "#dcebf1"
        parts.append(draw.rect(502, y + 0.5, 198, step - 1, colour, radius=7))
    parts.append(draw.text(_BAR_LEFT, top + 12, name, 12, bold=won or mover))
    parts.append(draw.text(_BAR_LEFT + _BAR, top + 12, score, 14, bold=True, anchor="end"))
    if won:
        parts.append(draw.star(_BAR_LEFT + 122, top + 7, 7, draw.GOLD))
    if _has_last_turn(state, player):
        parts.append(draw.flag(_BAR_LEFT + 116, top + 1, _FLAG))
    parts.append(draw.rect(_BAR_LEFT, top + 18, _BAR, 8, "#e4e7ea", radius=4))
    if mover and not state.to_eat:
        after = (score + _turn_points(state)) * scale
        parts.append(draw.rect(_BAR_LEFT, top + 18, after, 8, "#93c3d6", radius=4))
    parts.append(draw.rect(_BAR_LEFT, top + 18, score * scale, 8, draw.ACCENT, radius=4))
    return draw.group(*parts)
