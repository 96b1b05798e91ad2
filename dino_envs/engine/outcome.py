"""Pays out a finished game."""

from __future__ import annotations

from dino_envs.engine.kernel import kernel


@kernel
def highest_score(state):
    """Returns the best score of all seats."""
    best = state.score[0]
    for seat in range(1, state.num_players):
        best = max(best, state.score[seat])
    return best


@kernel
def highest_score_wins(state, returns):
    """Writes returns float32 [P] that sum to zero: the highest score wins.

    A sole winner gets +1 and the others share -1; k tied winners share the +1; if all are tied,
    everybody gets 0. Who plays alone plays for the score, and gets that. Cooperative games pay by
    a rule of their own.
    """
    players = state.num_players
    if players == 1:
        returns[0] = state.score[0]
        return
    best = highest_score(state)
    winners = 0
    for seat in range(players):
        if state.score[seat] == best:
            winners += 1
    for seat in range(players):
        if winners == players:
            returns[seat] = 0.0
        elif state.score[seat] == best:
            returns[seat] = 1.0 / winners
        else:
            returns[seat] = -1.0 / (players - winners)
