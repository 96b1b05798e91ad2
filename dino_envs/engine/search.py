"""Monte-Carlo tree search over information sets, written once for all games.

A closure over a game's rules, like `engine.loops`. One simulation takes the position, re-deals what
the searching seat cannot know, walks down the tree, adds one node, and lets a bot play to the end.

- A node is what its mover sees, and what it may do: positions that look alike to it are one node.
  So nobody in the tree plays by what it cannot know, and chance tells itself apart by what is seen.
- Every node keeps the results of its own mover (max^n): any number of players, together or not.
- The bot that plays out is asked at a new node too: its action is tried first, and the others have
  to prove themselves better (PUCT, see `tree.choose_edge`). So few simulations play about as the
  bot plays; with UCB1, which tries all actions alike, they played far worse.
- The n-th simulations of all actions of the root share their re-deal and their chance: actions are
  compared in the same hidden worlds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING, TRUNCATED
from dino_envs.engine.stream import choose_of, fork, next_word
from dino_envs.engine.tree import (
    NODES,
    add_node,
    back_up,
    best_edge,
    choose_edge,
    clear,
    key_of,
    only_action,
    slot_of,
    worth,
)

LONGEST = 2000
"""So many decisions after the tree a game is cut and scored as its own cap would have it."""
LEAD_SHARE = 0.2
"""What the lead in points counts beside the return: a game won by much was won more surely, and one
lost by little less surely. More would cost chances to win where they are exactly known, in Dino
Dice. Alone points are all that counts."""


@kernel
def bot_action(room, act, knowledge, random, legal):
    """Returns what the bot plays with what is seen and the mask; a legal action in any case."""
    if not random:
        action = act(room.records[0], room.mask, room.stream, knowledge)
        if 0 <= action < room.mask.shape[0] and room.mask[action] != 0:
            return action
    return choose_of(room.stream, room.mask, legal)


@kernel
def next_edge(room, act, knowledge, plan, seat, depth, legal):
    """Takes the path an edge further, from what the mover sees and may do; returns the edge.

    Where there is no node yet it is a new one's first edge: what the bot plays; -1 if there is no
    room for a node.
    """
    key = key_of(room, plan.seen, seat)
    slot = slot_of(room, key)
    node = room.slots[slot] - 1
    if node < 0:
        favourite = bot_action(room, act, knowledge, plan.random, legal)
        node = add_node(room, slot, key, legal, favourite)
        if node < 0:
            return np.int64(-1)
    edge = choose_edge(room, node, plan)
    room.nodes[depth], room.path[depth], room.movers[depth] = node, edge, seat
    return edge


class Searching(NamedTuple):
    """The compiled functions of a game."""

    search: Any
    """Searches positions; see `make_search`."""
    forget: Any
    """forget(states, streams): re-deals what the mover of each state cannot know."""


def make_search(
    legal_actions: Any, step: Any, observe: Any, outcome: Any, redeal: Any
) -> Searching:
    """Returns the search over a game's rules, to be compiled."""

    @kernel
    def forget(states, streams):
        for i in range(states.shape[0]):
            seat = int(states[i].current_player)
            redeal(states[i], seat, next_word(streams[i : i + 1]))

    @kernel
    def simulate(room, act, knowledge, plan, chance):
        """Plays from the root, re-dealt, to the end: down the tree, one node further, by the bot.

        Where there is nothing to choose there is no node. Returns the depth of the path.
        """
        room.states[0] = room.root[0]
        state = room.states[0]
        players, left = state.num_players, LONGEST
        redeal(state, int(state.current_player), fork(chance, 0))
        room.stream[0] = fork(chance, 1)
        depth, inside = 0, True
        while state.ending == RUNNING and left > 0:
            room.mask[:] = 0
            legal = legal_actions(state, room.mask)
            seat = state.current_player
            if legal > 1 and (inside or not plan.random):
                room.seen[: plan.seen] = 0.0
                observe(state, seat, room.records[0])
            if legal == 1:
                action = only_action(room.mask)
            elif inside:
                known = room.used[NODES]
                edge = next_edge(room, act, knowledge, plan, seat, depth, legal)
                if edge < 0:
                    inside = False
                    continue
                action = room.actions[edge]
                depth += 1
                inside = known == room.used[NODES] and depth < room.path.shape[0]
            else:
                action = bot_action(room, act, knowledge, plan.random, legal)
                left -= 1
            step(state, action)
        if state.ending == RUNNING:
            state.ending = TRUNCATED
        room.returns[:players] = 0.0
        outcome(state, room.returns[:players])
        return depth

    @kernel
    def search(act, knowledge, plan, room, states, streams, actions, visits, values, first, stride):
        """Searches the positions first, first + stride, ... for the seat to move in each.

        Each takes one word of its own stream, which decides everything. Writes what to play into
        `actions` int64 [N], how often each action of the root was tried into `visits` int32
        [N, A], and what it was worth into `values` float64 [N, A]; both 0 where it was not. Where
        there is nothing to choose nothing is searched.
        """
        for i in range(first, states.shape[0], stride):
            word = next_word(streams[i : i + 1])
            room.root[0] = states[i]
            room.mask[:] = 0
            if legal_actions(room.root[0], room.mask) == 1:
                actions[i] = only_action(room.mask)
                continue
            clear(room)
            for _ in range(plan.simulations):
                tries = room.tries[choose_edge(room, 0, plan)] if room.used[NODES] > 0 else 0
                back_up(room, simulate(room, act, knowledge, plan, fork(word, tries)))
            actions[i] = room.actions[best_edge(room, plan)]
            for edge in range(room.widths[0]):
                if room.tries[edge] > 0:
                    visits[i, room.actions[edge]] = room.tries[edge]
                    values[i, room.actions[edge]] = worth(room, edge, plan.lead_share)

    return Searching(search, forget)
