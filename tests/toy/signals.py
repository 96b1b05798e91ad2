"""A toy for the tests: in every round all seats call a number at the same time.

A call of the number that is asked for scores 1, unless another seat makes the same call; two
players play together, and score where both call it. Nobody repeats a call of the last round. The
first score of `GOAL` ends the game; the players of two have won then, and lose if the game is cut.
"""

from __future__ import annotations

import numpy as np

from dino_envs.engine import (
    RUNNING,
    TERMINATED,
    TRUNCATED,
    ActionTable,
    Bot,
    Field,
    Game,
    ObservationLayout,
    Option,
    Rules,
    View,
    highest_score_wins,
    kernel,
    state_dtype,
)
from dino_envs.engine.stream import below

PLAYERS, CALLS, GOAL = 4, 3, 3
ACTIONS = ActionTable(call=CALLS)
STATE = state_dtype(
    PLAYERS,
    [
        ("max_rounds", np.int32),
        ("rounds", np.int32),
        ("asked", np.int8),
        ("secret", np.int8, (PLAYERS,)),  # 1 + the call made in this round, 0 for none yet
        ("last", np.int8, (PLAYERS,)),  # 1 + the call of the last round
    ],
)
OBSERVATION = ObservationLayout(
    Field("asked", (CALLS,), 0, 1, "the number asked for"),
    Field("score", (PLAYERS,), 0, GOAL, "points", first_seat=0),
    Field("last", (PLAYERS,), 0, CALLS, "1 + the last call", first_seat=0),
)


@kernel
def reset(state, seed):
    state.stream[0] = seed
    state.asked = below(state.stream, CALLS)


@kernel
def legal_actions(state, mask):
    count = 0
    for call in range(CALLS):
        mask[call] = state.last[state.current_player] != call + 1
        count += mask[call]
    return count


@kernel
def step(state, action):
    state.secret[state.current_player] = action + 1
    state.current_player += 1
    if state.current_player == state.num_players:
        end_round(state)


@kernel
def end_round(state):
    right = 0
    for seat in range(state.num_players):
        right += state.secret[seat] == state.asked + 1
    for seat in range(state.num_players):
        if right == (2 if state.cooperative else 1) and state.secret[seat] == state.asked + 1:
            state.score[seat] += 1
            if state.score[seat] == GOAL:
                state.ending = TERMINATED
        state.last[seat] = state.secret[seat]
        state.secret[seat] = 0
    state.current_player = 0
    state.asked = below(state.stream, CALLS)
    state.rounds += 1
    if state.ending == RUNNING and state.rounds == state.max_rounds:
        state.ending = TRUNCATED


@kernel
def observe(state, seat, observation):
    observation.asked[state.asked] = 1.0
    for place in range(state.num_players):
        other = (seat + place) % state.num_players
        observation.score[place] = state.score[other]
        observation.last[place] = state.last[other]


@kernel
def outcome(state, returns):
    if state.cooperative:
        for seat in range(state.num_players):
            returns[seat] = 1.0 if state.score[0] == GOAL else -1.0
    else:
        highest_score_wins(state, returns)


@kernel
def redeal(state, seat, seed):
    state.stream[0] = seed
    for other in range(state.current_player):
        if other != seat:  # one of the two calls that are not the last one
            state.secret[other] = 1 + (state.last[other] + below(state.stream, 2)) % CALLS


@kernel
def obey(observation, mask, stream, knowledge):
    for call in range(CALLS):
        if observation.asked[call] == 1.0 and mask[call]:
            return call
    return 0 if mask[0] else 1


GAME = Game(
    module="toy.signals",
    title="Signals",
    summary="call what is asked for",
    version=0,
    min_players=2,
    max_players=PLAYERS,
    default_players=3,
    options={"max_rounds": Option(12, "rounds, after which the game is cut", low=1, high=1000)},
    state=STATE,
    actions=ACTIONS,
    observation=OBSERVATION,
    rules=Rules(reset, legal_actions, step, observe, outcome, redeal),
    view=View(
        text=lambda state, seat: f"asked {state.asked}, score {state.score}",
        svg=lambda state, seat: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        action_name=lambda action: f"call {action}",
        action_number=lambda name: int(name.split()[1]),
        action_text=lambda state, action, seat: "call",
    ),
    bots={"obedient": Bot(obey, "calls what is asked for")},
    cooperative=frozenset({2}),
    simultaneous=True,
)
