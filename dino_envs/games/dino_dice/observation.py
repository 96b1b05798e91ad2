"""What one seat sees in Dino Dice. Nothing is hidden but the dice to come."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING, Field, ObservationLayout
from dino_envs.games.dino_dice.rules import DICE, MAX_PLAYERS, REROLLS, turn_points

GAME_POINTS = 50.0
"""The unit of scores: a third of the rulebook's target."""
TURN_POINTS = 25.0
"""The unit of points of one turn: about what a good turn brings."""
CLOSE_POINTS = 10.0
"""The unit of what decides at the end, where single points count."""
_CLOSE_LIMIT = 2.0
_NEEDED_FROM, _NEEDED_WIDTH = -25, 5
_LEAD_FROM, _LEAD_WIDTH = -60, 10
_OTHER_FROM, _OTHER_WIDTH = 0, 10
_LIMIT = 24.0
"""No score reaches this many game points while the target is at most 1000."""
_EATEN = 6
_OTHERS = MAX_PLAYERS - 1
_BEHIND, _LEVEL, _AHEAD = 0, 1, 2

OBSERVATION = ObservationLayout(
    Field("dice", (DICE, 7), 0, 1, "each die as it lies: its face 1 to 6 one-hot, or eaten"),
    Field("herds", (6, DICE), 0, 1, "for each face: 1, 2, ... 5 or more dice of it are in play"),
    Field("rolls_left", (REROLLS + 1,), 0, 1, "re-rolls left: 0, 1 or 2, one-hot"),
    Field("to_eat", (4,), 0, 1, "herbivores still to be chosen for eating: 1 to 4, one-hot"),
    Field("stop_points", (1,), 0, 3, "points of stopping now / 25"),
    Field("five_rexes", (1,), 0, 1, "five Rexes in one roll lie there"),
    Field("target", (1,), 0, _LIMIT, "points that bring the last turns / 50"),
    Field("score", (1,), 0, _LIMIT, "own score / 50"),
    Field("needed", (1,), -_LIMIT, _LIMIT, "points to the target after stopping now / 50"),
    Field("close_needed", (1,), -_CLOSE_LIMIT, _CLOSE_LIMIT, "the same / 10, cut off at -2 and 2"),
    Field("reaches_target", (1,), 0, 1, "stopping now reaches the target"),
    Field("lead", (1,), -_LIMIT, _LIMIT, "lead on the best other after stopping now / 50"),
    Field("close_lead", (1,), -_CLOSE_LIMIT, _CLOSE_LIMIT, "the same / 10, cut off at -2 and 2"),
    Field("standing", (3,), 0, 1, "then behind, level with, ahead of the best other, one-hot"),
    Field("needed_ramp", (20,), 0, 1, "`needed` as a ramp from -25 points in steps of 5"),
    Field("lead_ramp", (12,), 0, 1, "`lead` as a ramp from -60 points in steps of 10"),
    Field("other_ramp", (8,), 0, 1, "what the best other needs, as a ramp from 0 in steps of 10"),
    Field(
        "others",
        (_OTHERS,),
        0,
        _LIMIT,
        "the others' scores / 50, in seat order from here",
        first_seat=1,
    ),
    Field("seated", (_OTHERS,), 0, 1, "which of them play", first_seat=1),
    Field("last_turns", (1,), 0, 1, "a last turn is being played"),
    Field("own_last_turn", (1,), 0, 1, "this seat still has a last turn"),
    Field("others_last_turn", (_OTHERS,), 0, 1, "which of the others still have one", first_seat=1),
    Field("turns_left", (1,), 0, 1, "share of the turns left before the cap"),
)


@kernel
def observe(state, seat, observation):
    """Writes the view from `seat`: the same numbers whatever the seat's number is.

    "Stopping now" adds the points on the table to the score of the seat whose turn it is; when the
    game is over they have been added.
    """
    points = turn_points(state) if state.ending == RUNNING else 0
    observe_dice(state, points, observation)
    observe_scores(state, seat, points if seat == state.current_player else 0, observation)


@kernel
def close(points):
    """Returns points on the scale of the end."""
    return min(max(points / CLOSE_POINTS, -_CLOSE_LIMIT), _CLOSE_LIMIT)


@kernel
def ramp(points, start, width, steps):
    """Writes points as a ramp: step i rises from 0 to 1 over `width` points from start + i * width.

    Single points decide at the end of a game; a network finds them here without steep weights.
    """
    climbed = (points - start) / width
    for i in range(steps.shape[0]):
        steps[i] = min(max(climbed - i, 0.0), 1.0)


@kernel
def observe_dice(state, points, observation):
    """Writes the dice of the turn being played."""
    herd = 0
    for position in range(DICE):
        face = state.dice[position]
        if position >= state.in_play:
            observation.dice[position, _EATEN] = 1.0
            continue
        herd = herd + 1 if position > 0 and face == state.dice[position - 1] else 0
        observation.dice[position, face - 1] = 1.0
        observation.herds[face - 1, herd] = 1.0
    observation.rolls_left[state.rolls_left] = 1.0
    if state.to_eat > 0:
        observation.to_eat[state.to_eat - 1] = 1.0
    observation.stop_points[0] = points / TURN_POINTS
    observation.five_rexes[0] = state.five_rexes


@kernel
def observe_scores(state, seat, points, observation):
    """Writes the scores and the last turns; `points` are what stopping now adds to the seat's."""
    players = state.num_players
    own = state.score[seat]
    best = 0
    other = seat
    for i in range(players - 1):
        other = other + 1 if other + 1 < players else 0
        best = max(best, state.score[other])
        observation.others[i] = state.score[other] / GAME_POINTS
        observation.seated[i] = 1.0
        observation.others_last_turn[i] = state.last_turns >> other & 1
    needed = state.target - own - points
    lead = own + points - best
    observation.target[0] = state.target / GAME_POINTS
    observation.score[0] = own / GAME_POINTS
    observation.needed[0] = needed / GAME_POINTS
    observation.close_needed[0] = close(needed)
    observation.reaches_target[0] = needed <= 0
    observation.lead[0] = lead / GAME_POINTS
    observation.close_lead[0] = close(lead)
    observation.standing[_AHEAD if lead > 0 else (_LEVEL if lead == 0 else _BEHIND)] = 1.0
    ramp(needed, _NEEDED_FROM, _NEEDED_WIDTH, observation.needed_ramp)
    ramp(lead, _LEAD_FROM, _LEAD_WIDTH, observation.lead_ramp)
    ramp(state.target - best, _OTHER_FROM, _OTHER_WIDTH, observation.other_ramp)
    observation.last_turns[0] = state.last_turns != 0
    observation.own_last_turn[0] = state.last_turns >> seat & 1
    observation.turns_left[0] = max(0, state.max_turns - state.turns) / state.max_turns
