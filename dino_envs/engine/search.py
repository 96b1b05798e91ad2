"""Monte-Carlo tree search over information sets, written once for all games.

A closure over a game's rules, like `engine.loops`. One simulation takes the position, re-deals what
the searching seat cannot know, walks down the tree, adds one node, and lets a bot play to the end.

- A node is what its mover sees, and what it may do: positions that look alike to it are one node.
  So nobody in the tree plays by what it cannot know, and chance tells itself apart by what is seen.
- Every node keeps the results of its own mover (max^n): any number of players, together or not.
- The bot that plays out is asked at a new node too: its action is tried first, the others in random
  order. At the root so many are tried that each gets a few simulations; elsewhere one more
  whenever the root of the visits allows (progressive widening), so that a node with few visits is
  played as the bot plays it, not at random.
- The n-th simulations of all actions of the root share their re-deal and their chance: actions are
  compared in the same hidden worlds.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from dino_envs.engine.kernel import kernel
from dino_envs.engine.layout import RUNNING, TRUNCATED
from dino_envs.engine.stream import choose_of, fork, next_word
from dino_envs.engine.tree import (
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
lost by little less surely. Alone points are all that counts."""
FEWEST_TRIES = 5
"""At the root no more actions are tried than get so many simulations each, on average."""


@kernel
def bot_action(room, act, knowledge, random, legal):
    """Returns what the bot plays with what is seen and the mask; a legal action in any case."""
    if not random:
        action = act(room.records[0], room.mask, room.stream, knowledge)
        if 0 <= action < room.mask.shape[0] and room.mask[action] != 0:
            return action
    return choose_of(room.stream, room.mask, legal)


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
            redeal(states[i], states[i].current_player, next_word(streams[i : i + 1]))

    @kernel
    def look(room, plan):
        """Writes what the mover sees."""
        room.seen[: plan.seen] = 0.0
        observe(room.states[0], room.states[0].current_player, room.records[0])

    @kernel
    def descend(room, act, knowledge, plan):
        """Walks down the tree from the first edge of the path, and adds a node; returns its depth.

        Where there is nothing to choose there is no node.
        """
        state = room.states[0]
        depth, inside = 1, True
        while inside and state.ending == RUNNING and depth < room.path.shape[0]:
            room.mask[:] = 0
            legal = legal_actions(state, room.mask)
            if legal == 1:
                step(state, only_action(room.mask))
                continue
            look(room, plan)
            key = key_of(room, plan.seen, state.current_player)
            slot = slot_of(room, key)
            node = room.slots[slot] - 1
            if node < 0:
                favourite = bot_action(room, act, knowledge, plan.random, legal)
                node = add_node(room, slot, key, legal, favourite)
                inside = False
                if node < 0:
                    break
            edge = choose_edge(room, node, 1 + int(math.sqrt(room.visits[node])), plan)
            room.nodes[depth], room.path[depth] = node, edge
            room.movers[depth] = state.current_player
            depth += 1
            step(state, room.actions[edge])
        return depth

    @kernel
    def play_out(room, act, knowledge, plan):
        """Lets the bot play at all seats to the end, and writes the returns."""
        state = room.states[0]
        left = LONGEST
        while state.ending == RUNNING and left > 0:
            room.mask[:] = 0
            legal = legal_actions(state, room.mask)
            if not plan.random:
                look(room, plan)
            step(state, bot_action(room, act, knowledge, plan.random, legal))
            left -= 1
        if state.ending == RUNNING:
            state.ending = TRUNCATED
        players = state.num_players
        room.returns[:players] = 0.0
        outcome(state, room.returns[:players])

    @kernel
    def grow(room, act, knowledge, plan, word, legal):
        """Searches the position, whose mask is written: builds its tree from a random word."""
        state = room.states[0]
        room.states[0] = room.root[0]
        seat = int(state.current_player)
        look(room, plan)
        clear(room)
        room.stream[0] = fork(word, 0)
        favourite = bot_action(room, act, knowledge, plan.random, legal)
        key = key_of(room, plan.seen, seat)
        add_node(room, slot_of(room, key), key, legal, favourite)
        width = max(2, plan.simulations // FEWEST_TRIES)
        for _ in range(plan.simulations):
            edge = choose_edge(room, 0, width, plan)
            chance = fork(word, room.tries[edge] + 1)
            room.states[0] = room.root[0]
            redeal(state, seat, fork(chance, 0))
            room.stream[0] = fork(chance, 1)
            room.nodes[0], room.path[0], room.movers[0] = 0, edge, seat
            step(state, room.actions[edge])
            depth = descend(room, act, knowledge, plan)
            play_out(room, act, knowledge, plan)
            back_up(room, depth)

    @kernel
    def search(act, knowledge, plan, room, states, streams, actions, visits, values, first, stride):
        """Searches the positions first, first + stride, ... for the seat to move in each.

        Each takes one word of its own stream, which decides everything. Writes what to play into
        `actions` int64 [N], how often each action of the root was tried into `visits` int64
        [N, A], and what it was worth into `values` float64 [N, A]; both 0 where it was not. Where
        there is nothing to choose nothing is searched.
        """
        for i in range(first, states.shape[0], stride):
            word = next_word(streams[i : i + 1])
            room.root[0] = states[i]
            room.mask[:] = 0
            legal = legal_actions(room.root[0], room.mask)
            if legal == 1:
                actions[i] = only_action(room.mask)
                continue
            grow(room, act, knowledge, plan, word, legal)
            actions[i] = room.actions[best_edge(room, plan)]
            for edge in range(room.widths[0]):
                if room.tries[edge] > 0:
                    visits[i, room.actions[edge]] = room.tries[edge]
                    values[i, room.actions[edge]] = worth(room, edge, plan.lead_share)

    return Searching(search, forget)
