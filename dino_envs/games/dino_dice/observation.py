"""What one seat sees in Dino Dice. Nothing is hidden but the dice to come."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import Field, ObservationLayout
from dino_envs.games.dino_dice.rules import (
    DICE,
    HERD_OF_FIVE,
    MAX_PLAYERS,
    REROLLS,
    turn_points,
)

GAME_POINTS = 150.0
"""The unit of all scores: the rulebook's target."""
TURN_POINTS = float(HERD_OF_FIVE)
"""The unit of points of one turn: the best turn."""
_EATEN = 6
_LIMIT = 8.0
"""No score reaches this many game points while the target is at most 1000."""
_OTHERS = MAX_PLAYERS - 1

OBSERVATION = ObservationLayout(
    Field("dice", (DICE, 7), 0, 1, "each die as it lies: its face 1 to 6 one-hot, or eaten"),
    Field("herds", (6, DICE), 0, 1, "for each face: 1, 2, ... 5 or more dice of it are in play"),
    Field("rolls_left", (REROLLS + 1,), 0, 1, "re-rolls left: 0, 1 or 2, one-hot"),
    Field("to_eat", (4,), 0, 1, "herbivores still to be chosen for eating: 1 to 4, one-hot"),
    Field("stop_points", (1,), 0, 1, "points of stopping now / 75"),
    Field("five_rexes", (1,), 0, 1, "five Rexes in one roll lie there"),
    Field("target", (1,), 0, _LIMIT, "points that bring the last turns / 150"),
    Field("score", (1,), 0, _LIMIT, "own score / 150"),
    Field("needed", (1,), -_LIMIT, _LIMIT, "points to the target / 150"),
    Field("lead", (1,), -_LIMIT, _LIMIT, "own score less the best other one / 150"),
    Field("stop_lead", (1,), -_LIMIT, _LIMIT, "lead after stopping now / 150"),
    Field(
        "others",
        (_OTHERS,),
        0,
        _LIMIT,
        "the others' scores / 150, in seat order from here; 0: none",
    ),
    Field("seated", (_OTHERS,), 0, 1, "which of them play"),
    Field("last_turns", (1,), 0, 1, "a last turn is being played"),
    Field("own_last_turn", (1,), 0, 1, "this seat still has a last turn"),
    Field("others_last_turn", (_OTHERS,), 0, 1, "which of the others still have one"),
    Field("turns_left", (1,), 0, 1, "share of the turns left before the cap"),
)


@kernel
def observe(state, seat, observation):
    """Writes the view from `seat`: the same numbers whatever the seat's number is."""
    points = turn_points(state)
    observe_dice(state, points, observation)
    observe_scores(state, seat, points if seat == state.current_player else 0, observation)


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
    for i in range(players - 1):
        other = (seat + 1 + i) % players
        best = max(best, state.score[other])
        observation.others[i] = state.score[other] / GAME_POINTS
        observation.seated[i] = 1.0
        observation.others_last_turn[i] = state.last_turns >> other & 1
    observation.target[0] = state.target / GAME_POINTS
    observation.score[0] = own / GAME_POINTS
    observation.needed[0] = (state.target - own) / GAME_POINTS
    observation.lead[0] = (own - best) / GAME_POINTS
    observation.stop_lead[0] = (own + points - best) / GAME_POINTS
    observation.last_turns[0] = state.last_turns != 0
    observation.own_last_turn[0] = state.last_turns >> seat & 1
    observation.turns_left[0] = max(0, state.max_turns - state.turns) / state.max_turns
