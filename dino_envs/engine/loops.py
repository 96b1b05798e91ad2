"""The loops over many games, written once for all of them.

The rules come in as typed functions: a closure over them would be compiled anew in every process,
a typed function is found in Numba's disk cache.
"""

from __future__ import annotations

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING, TERMINATED
from dino_envs.engine.stream import fork

EXTERNAL = -1
"""In `players`: this seat's actions come from outside the loop."""

MAX_BOTS = 8
"""How many different bots one batch can hold."""


@kernel
def deal(reset, template, states, seeds, chosen, first, last):
    """Starts the games first..last-1 with chosen[i] != 0, from `template` (the options)."""
    for i in range(first, last):
        if chosen[i]:
            states[i] = template[0]
            reset(states[i], seeds[i])


@kernel
def settle(outcome, by_score, state, before, returns, rewards):
    """Adds to `rewards` [P] what the last step paid, and writes `returns` [P] at the end.

    With `by_score`, a step pays each seat the change of its lead over the mean of the others.
    """
    players = state.num_players
    if state.ending != RUNNING:
        outcome(state, returns)
    if by_score:
        gained = 0.0
        for seat in range(players):
            gained += state.score[seat] - before[seat]
        for seat in range(players):
            own = state.score[seat] - before[seat]
            rewards[seat] += own - (gained - own) / (players - 1)
    elif state.ending != RUNNING:
        for seat in range(players):
            rewards[seat] += returns[seat]


@kernel
def forfeit(state, offender, returns, rewards):
    """Ends a game because of an illegal action: the offender gets -1, the others share +1."""
    state.ending = TERMINATED
    players = state.num_players
    for seat in range(players):
        returns[seat] = 1.0 / (players - 1)
    returns[offender] = -1.0
    for seat in range(players):
        rewards[seat] += returns[seat]


@kernel
def play(
    legal_actions, step, observe, outcome, acts, knowledge, by_score,
    states, players, streams, actions, records, observations, masks,
    before, returns, rewards, log, steps, illegal, first, last,
):  # fmt: skip
    """Plays the games first..last-1 until each is over or waits for an external seat.

    `actions` int64 [B] holds the waiting seats' actions (-1: none given, wait on); taken ones are
    set to -1. `players` int8 [B, P] says which bot sits where, EXTERNAL for none; `streams` uint64
    [B, P] are the bots' streams. For every decision the mover's observation (`records`, which views
    the same memory as `observations` float32 [B, F]) and mask int8 [B, A] are written, and stand
    there for the external seat. `before` int32 [B, P] is scratch; `log` uint64 [B] hashes each
    game's actions; `steps` int64 [B] counts them; `illegal` int8 [B] is 1 + the seat that forfeited.
    """
    for i in range(first, last):
        state = states[i]
        while state.ending == RUNNING:
            seat = state.current_player
            observations[i, :] = 0.0
            masks[i, :] = 0
            legal_actions(state, masks[i])
            who = players[i, seat]
            if who == EXTERNAL:
                action = actions[i]
                actions[i] = -1
                if action == -1:
                    observe(state, seat, records[i])
                    break
            else:
                observe(state, seat, records[i])
                action = acts[who](
                    records[i], masks[i], streams[i, seat : seat + 1], knowledge[who]
                )
            log[i] = fork(log[i], max(action, 0))
            steps[i] += 1
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                illegal[i] = seat + 1
                forfeit(state, seat, returns[i], rewards[i])
                break
            for other in range(state.num_players):
                before[i, other] = state.score[other]
            step(state, action)
            settle(outcome, by_score, state, before[i], returns[i], rewards[i])


@kernel
def look(observe, states, seats, chosen, records, first, last):
    """Writes what seat seats[i] sees in the games first..last-1 with chosen[i] != 0."""
    for i in range(first, last):
        if chosen[i]:
            observe(states[i], seats[i], records[i])


@kernel
def ask(act, records, masks, streams, knowledge, actions, first, last):
    """Writes what one bot plays in each of the positions first..last-1."""
    for i in range(first, last):
        actions[i] = act(records[i], masks[i], streams[i : i + 1], knowledge)
