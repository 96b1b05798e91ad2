"""The rules of Dino Dice, compiled. Quoted lines are the rulebook's."""

from __future__ import annotations

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import TERMINATED, TRUNCATED, ActionTable, state_dtype
from dino_envs.engine.outcome import highest_score
from dino_envs.engine.stream import below

MAX_PLAYERS = 8
DICE = 5
REX = 3
REROLLS = 2
"""A turn has at most three rolls."""

HERBIVORES = (1, 2, 4, 5, 6)
HERD_BONUS = (0, 0, 5, 15, 30)
"""The bonus of 0 to 4 dice alike."""
HERD_OF_FIVE = 75

TIES = ("shared", "turn")
_TIE_TURN = TIES.index("turn")

ACTIONS = ActionTable(stop=1, reroll=2**DICE - 1, eat=len(HERBIVORES))
STOP = ACTIONS.start("stop")
REROLL = ACTIONS.start("reroll")
EAT = ACTIONS.start("eat")

STATE = state_dtype(
    MAX_PLAYERS,
    [
        ("target", np.int32),
        ("max_turns", np.int32),
        ("tie", np.int8),
        ("turns", np.int32),  # turns finished, all seats together
        ("last_turns", np.int32),  # bit set of the seats that still have a last turn
        ("tie_broken", np.int8),
        ("dice", np.int8, (DICE,)),  # faces: those in play sorted, then the eaten ones sorted
        ("in_play", np.int8),
        ("rolls_left", np.int8),
        ("to_eat", np.int8),  # herbivores the Rexes of the last roll have still to eat
        ("five_rexes", np.int8),  # the last roll was five dice, all Rexes
    ],
)


@kernel
def reset(state, seed):
    """Starts with seat 0's first roll."""
    state.stream[0] = seed
    start_turn(state, 0)


@kernel
def start_turn(state, seat):
    """Rolls the five dice of a new turn."""
    state.current_player = seat
    state.in_play = DICE
    state.rolls_left = REROLLS
    roll(state, 2**DICE - 1)


@kernel
def roll(state, chosen):
    """Rolls the dice at the positions in the bit set `chosen`, and lets the new Rexes eat.

    "For EACH 3 (Tyrannosaurus Rex or Rex) showing, one herbivore is 'eaten'": each Rex that this
    roll brought, "limited to the number of herbivore dice in play".
    """
    rexes = 0
    for position in range(DICE):
        if chosen >> position & 1:
            face = below(state.stream, 6) + 1
            state.dice[position] = face
            if face == REX:
                rexes += 1
    sort_faces(state.dice, 0, state.in_play)
    state.five_rexes = rexes == DICE
    state.to_eat = rexes
    eat_without_choice(state)


@kernel
def sort_faces(dice, first, last):
    """Sorts the faces of dice[first:last] in place, without branches that dice make random."""
    for end in range(last - 1, first, -1):
        for i in range(first, end):
            low, high = min(dice[i], dice[i + 1]), max(dice[i], dice[i + 1])
            dice[i] = low
            dice[i + 1] = high


@kernel
def herbivores_in_play(state):
    """Counts the herbivores in play."""
    count = 0
    for position in range(state.in_play):
        if state.dice[position] != REX:
            count += 1
    return count


@kernel
def one_kind_of_herbivore(state):
    """Returns whether all herbivores in play show the same face."""
    seen = 0
    for position in range(state.in_play):
        face = state.dice[position]
        if face != REX:
            if seen != 0 and face != seen:
                return False
            seen = face
    return True


@kernel
def eat(state, face):
    """Takes one die of that face out of play until the end of the turn."""
    position = 0
    while state.dice[position] != face:
        position += 1
    last = state.in_play - 1
    for i in range(position, last):
        state.dice[i] = state.dice[i + 1]
    state.dice[last] = face
    state.in_play = last
    sort_faces(state.dice, last, DICE)
    state.to_eat -= 1


@kernel
def eat_without_choice(state):
    """Eats as long as the player has nothing to choose.

    There is no choice where all herbivores are eaten, or where they are all of one face.
    """
    while state.to_eat > 0:
        herbivores = herbivores_in_play(state)
        if herbivores == 0:
            state.to_eat = 0
        elif state.to_eat >= herbivores or one_kind_of_herbivore(state):
            position = 0
            while state.dice[position] == REX:
                position += 1
            eat(state, state.dice[position])
        else:
            return


def herd_points(face: int, count: int) -> int:
    """Returns what `count` herbivores of one face score.

    "Herd of 2 = face value + 5 points bonus" and so on; "Herd of 5 = 75 points bonus (disregard
    face value)". The face value of a herd is the sum of its dice.
    """
    return HERD_OF_FIVE if count == DICE else face * count + HERD_BONUS[count]


_FACES = np.array(HERBIVORES)
_KINDS = np.array([HERBIVORES.index(face) if face in HERBIVORES else -1 for face in range(7)])
"""The same both ways, as arrays: compiled code looks them up without a branch."""

_ADDED = np.zeros((7, DICE + 1), np.int64)
"""What the n-th die of a face adds to the points: [face, n]. Rexes add nothing."""
for _face in HERBIVORES:
    _ADDED[_face, 1:] = np.diff([herd_points(_face, _n) for _n in range(DICE + 1)])


@kernel
def turn_points(state):
    """Returns what the dice in play score if the turn stops now."""
    if state.five_rexes:
        return HERD_OF_FIVE
    points = 0
    herd = 0
    for position in range(state.in_play):
        face = state.dice[position]
        herd = herd + 1 if position > 0 and face == state.dice[position - 1] else 1
        points += _ADDED[face, herd]
    return points


@kernel
def legal_actions(state, mask):
    """Writes the legal actions: what to eat, or else stop and the different re-rolls."""
    count = 0
    if state.to_eat > 0:
        for position in range(state.in_play):
            face = state.dice[position]
            if face != REX:
                count += 1 - mask[EAT + _KINDS[face]]
                mask[EAT + _KINDS[face]] = 1
        return count
    mask[STOP] = 1
    count = 1
    if state.rolls_left == 0:
        return count
    like_its_left = 0  # of equal dice the leftmost are rolled first
    for position in range(1, state.in_play):
        if state.dice[position] == state.dice[position - 1]:
            like_its_left |= 1 << position
    everything = (1 << state.in_play) - 1
    for chosen in range(1, 1 << DICE):
        new = int((chosen & ~everything) == 0 and (chosen & like_its_left & ~(chosen << 1)) == 0)
        mask[REROLL + chosen - 1] = new
        count += new
    return count


@kernel
def step(state, action):
    """Plays one decision: stop, re-roll some dice, or choose who is eaten."""
    if action == STOP:
        end_turn(state)
    elif action < EAT:
        state.rolls_left -= 1
        roll(state, action - REROLL + 1)
    else:
        eat(state, _FACES[action - EAT])
        eat_without_choice(state)


@kernel
def end_turn(state):
    """Scores the turn and finds who rolls next, if anybody does."""
    seat = state.current_player
    players = state.num_players
    state.score[seat] += turn_points(state)
    state.turns += 1
    following = seat + 1 if seat + 1 < players else 0
    if state.last_turns != 0:
        state.last_turns &= ~(1 << seat)
        if state.last_turns == 0:
            following = after_last_turn(state)
    elif state.score[seat] >= state.target:
        # "each of the other players has one additional turn"
        state.last_turns = ((1 << players) - 1) & ~(1 << seat)
    if state.ending == TERMINATED:
        return
    if state.turns >= state.max_turns:
        state.ending = TRUNCATED
        return
    if state.last_turns != 0:
        while state.last_turns >> following & 1 == 0:
            following = (following + 1) % players
    start_turn(state, following)


@kernel
def after_last_turn(state):
    """Ends the game, or with tie="turn" starts the tie-break turns; returns its first seat."""
    leaders = 0
    tied = 0
    best = highest_score(state)
    for seat in range(state.num_players):
        if state.score[seat] == best:
            leaders |= 1 << seat
            tied += 1
    if state.tie == _TIE_TURN and tied > 1 and state.tie_broken == 0:
        state.tie_broken = 1
        state.last_turns = leaders
    else:
        state.ending = TERMINATED
    return 0


@kernel
def redeal(state, seat, seed):
    """Draws the future anew; everything else is public."""
    state.stream[0] = seed
