"""What a step pays: the modes, and the kernels that pay."""

from __future__ import annotations

from dino_envs.engine.errors import OptionError
from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import FORFEITED, RUNNING

REWARDS = ("outcome", "score", "points")
"""How a step can pay: the game's return at its end; each change of the lead in points over the mean
of the others, who have 0 where there are none or all play together; or each change of the own
points, whoever leads."""
OUTCOME, SCORE, POINTS = range(len(REWARDS))


def reward_mode(reward: str) -> int:
    """Returns the number of a reward mode; raises `OptionError` if there is no such mode."""
    if reward not in REWARDS:
        raise OptionError(f"reward={reward!r}: choose one of {', '.join(REWARDS)}")
    return REWARDS.index(reward)


@kernel
def pay(state, mode, before, returns, rewards):
    """Adds to `rewards` [P] what the last step paid; `before` [P] are the scores before it."""
    players = state.num_players
    if mode == OUTCOME:
        if state.ending != RUNNING:
            for seat in range(players):
                rewards[seat] += returns[seat]
        return
    gained = 0.0
    for seat in range(players):
        gained += state.score[seat] - before[seat]
    for seat in range(players):
        own = state.score[seat] - before[seat]
        rewards[seat] += own
        if mode == SCORE and players > 1 and not state.cooperative:
            rewards[seat] -= (gained - own) / (players - 1)


@kernel
def forfeit(state, offender, returns, rewards):
    """Ends a game because of an illegal action: the offender gets -1, the others share +1.

    Who plays together loses together: -1 for all.
    """
    state.ending = FORFEITED
    players = state.num_players
    others = max(players - 1, 1)  # alone there are none, and nothing is divided
    for seat in range(players):
        returns[seat] = -1.0 if state.cooperative else 1.0 / others
    returns[offender] = -1.0
    for seat in range(players):
        rewards[seat] += returns[seat]
