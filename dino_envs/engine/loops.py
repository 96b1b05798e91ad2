"""The loops over games, written once for all of them: closures over a game's rules.

The rules are compiled into the loops; `engine.kernel` sees to it that they are found on disk.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING
from dino_envs.engine.reward import OUTCOME, forfeit, pay
from dino_envs.engine.stream import choose_of, mix

EXTERNAL = -1
"""In `players`: this seat's actions come from outside the loop."""

MAX_BOTS = 4
"""How many different bots one compiled loop can hold."""


@kernel
def ask(act, records, masks, streams, knowledge, actions):
    """Writes what a bot plays in each of N positions."""
    for i in range(actions.shape[0]):
        actions[i] = act(records[i], masks[i], streams[i : i + 1], knowledge)


class Loops(NamedTuple):
    """The loops of one game. Those over a batch take the range first..last-1 to work on."""

    deal: Any
    """deal(templates [K], states, seeds, chosen, first, last): starts the chosen games, i from
    template i mod K."""
    play: Any
    """Plays until each game is over or waits for an external seat; see `make_loops`."""
    look: Any
    """look(states, seats, chosen, records, first, last): writes what seats[i] sees."""
    turn: Any
    """turn(states [1], action, mask): plays one decision, writes the next mask."""
    glance: Any
    """glance(states [1], seat, records [1]): writes what a seat sees of one game."""


def make_loops(reset: Any, legal_actions: Any, step: Any, observe: Any, outcome: Any) -> Loops:
    """Returns the loops over a game's rules, to be compiled."""

    @kernel
    def deal(templates, states, seeds, chosen, first, last):
        for i in range(first, last):
            if chosen[i]:
                states[i] = templates[i % templates.shape[0]]
                reset(states[i], seeds[i])

    @kernel
    def play(
        acts, knowledge, random_bot, reward, used,
        states, players, streams, actions, records, observations, masks,
        before, returns, rewards, log, steps, illegal, first, last,
    ):  # fmt: skip
        """Plays the games first..last-1 until each is over or waits for an external seat.

        `actions` int64 [B] holds the waiting seats' actions (-1: none given, wait on); taken ones
        are set to -1. `players` int8 [B, P] says which bot sits where, EXTERNAL for none; `streams`
        uint64 [B, P] are the bots' streams. `random_bot` plays at random and is not called through
        its pointer, which would cost more than it does. `reward` is the number of a reward mode.

        For every decision the mover's observation (`records`, which views the same memory as
        `observations` float32 [B, F]) and mask int8 [B, A] are written, and stand there for the
        external seat; behind the first `used` values observations are 0 for this many seats and are
        left alone. `before` int32 [B, P] is scratch; `log` uint64 [B] hashes each game's
        actions; `steps` int32 [B] counts them; `illegal` int8 [B] is 1 + the seat that forfeited.
        """
        for i in range(first, last):
            state = states[i]
            while state.ending == RUNNING:
                seat = state.current_player
                who = players[i, seat]
                action = actions[i]
                masks[i, :] = 0
                legal = legal_actions(state, masks[i])
                if who != EXTERNAL or action == -1:
                    observations[i, :used] = 0.0
                    observe(state, seat, records[i])
                if who == random_bot:
                    action = choose_of(streams[i, seat : seat + 1], masks[i], legal)
                elif who != EXTERNAL:
                    action = acts[who](
                        records[i], masks[i], streams[i, seat : seat + 1], knowledge[who]
                    )
                elif action == -1:
                    break
                else:
                    actions[i] = -1
                log[i] = mix(log[i] ^ np.uint64(max(action, 0) + 1))
                steps[i] += 1
                if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                    illegal[i] = seat + 1
                    forfeit(state, seat, returns[i], rewards[i])
                    break
                if reward != OUTCOME:
                    for other in range(state.num_players):
                        before[i, other] = state.score[other]
                step(state, action)
                if state.ending != RUNNING:
                    outcome(state, returns[i])
                pay(state, reward, before[i], returns[i], rewards[i])

    @kernel
    def look(states, seats, chosen, records, first, last):
        for i in range(first, last):
            if chosen[i]:
                observe(states[i], seats[i], records[i])

    @kernel
    def turn(states, action, mask):
        step(states[0], action)
        mask[:] = 0
        if states[0].ending == RUNNING:
            legal_actions(states[0], mask)

    @kernel
    def glance(states, seat, records):
        observe(states[0], seat, records[0])

    return Loops(deal, play, look, turn, glance)
