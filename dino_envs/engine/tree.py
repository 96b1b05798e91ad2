"""The tree of a search: nodes, their edges, and what is known of both, in arrays.

A node is what its mover sees and may do; an edge is one of its actions. All memory is handed in.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from dino_envs.engine.kernel import kernel
from dino_envs.engine.stream import mix, shuffle

DEEPEST = 256
"""A path through the tree has at most so many decisions."""
TRUST = 0.5
"""The share of a node's exploration that goes to what the bot would play."""
EDGES_A_NODE = 32
"""Room for so many actions a node, on average; when it is full the tree grows no more."""

NODES, EDGES = 0, 1
_LOW, _HIGH = 0, 1
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


class Room(NamedTuple):
    """What a search works in: scratch, and the tree. An edge is an action of a node."""

    root: Any
    """[1], the position searched."""
    states: Any
    """[1], the position of the simulation."""
    records: Any
    """[1], what its mover sees; `seen` float32 [F] and `words` uint32 [F] are the same memory."""
    seen: Any
    words: Any
    mask: Any
    """int8 [A], what its mover may do."""
    stream: Any
    """uint64 [1], the chance of bots and of the tree."""
    returns: Any
    """float32 [P], how the simulation ended."""
    slots: Any
    """int32 [2**k], open addressing by key: 1 + the node, 0 where there is none."""
    keys: Any
    """uint64 [nodes]."""
    starts: Any
    """int32 [nodes], the first edge; its other edges follow."""
    widths: Any
    """int32 [nodes], how many they are."""
    visits: Any
    """int32 [nodes]."""
    actions: Any
    """int64 [edges]."""
    tries: Any
    """int32 [edges]."""
    results: Any
    """float64 [edges], the sum of the mover's returns."""
    leads: Any
    """float64 [edges], the sum of its leads in points."""
    path: Any
    """int32 [DEEPEST], the edges of the simulation; `nodes` int32 and `movers` int8 go with it."""
    nodes: Any
    movers: Any
    used: Any
    """int64 [2], nodes and edges in use."""
    span: Any
    """float64 [2], the lowest and the highest lead seen."""


class Plan(NamedTuple):
    """How a search goes."""

    simulations: Any
    exploration: Any
    """float64, the weight of what is not known well."""
    lead_share: Any
    """float64, what the lead in points counts beside the return."""
    random: Any
    """bool: the bot plays at random and is not called."""
    seen: Any
    """int64, behind so many values observations are 0 for this many seats."""


def new_room(
    state: np.dtype[Any], seen: np.dtype[Any], actions: int, players: int, simulations: int
) -> Room:
    """Returns room for searches of so many simulations; pages are taken when they are needed."""
    nodes = simulations + 1
    edges = actions + nodes * min(actions, EDGES_A_NODE)
    records = np.zeros(1, seen)
    return Room(
        np.zeros(1, state), np.zeros(1, state),
        records, records.view(np.float32), records.view(np.uint32),
        np.zeros(actions, np.int8), np.zeros(1, np.uint64), np.zeros(players, np.float32),
        np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32), np.empty(nodes, np.uint64),
        np.empty(nodes, np.int32), np.empty(nodes, np.int32), np.empty(nodes, np.int32),
        np.empty(edges, np.int64), np.empty(edges, np.int32), np.empty(edges), np.empty(edges),
        np.zeros(DEEPEST, np.int32), np.zeros(DEEPEST, np.int32), np.zeros(DEEPEST, np.int8),
        np.zeros(2, np.int64), np.zeros(2),
    )  # fmt: skip


@kernel
def clear(room):
    """Empties the tree."""
    room.slots[:] = 0
    room.used[:] = 0
    room.span[_LOW] = math.inf
    room.span[_HIGH] = -math.inf


@kernel
def only_action(mask):
    """Returns the first legal action."""
    action = 0
    while mask[action] == 0:
        action += 1
    return action


@kernel
def key_of(room, seen, seat):
    """Returns a hash of what a seat sees and may do: its key."""
    word = mix(np.uint64(seat + 1))
    for i in range(seen):
        word = (word ^ np.uint64(room.words[i])) * _ODD
        word ^= word >> _HALF
    for action in range(room.mask.shape[0]):
        if room.mask[action] != 0:
            word = (word ^ np.uint64(action)) * _ODD
            word ^= word >> _HALF
    return mix(word)


@kernel
def slot_of(room, key):
    """Returns the slot where the node of a key stands, or where it has its place."""
    last = room.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while room.slots[slot] != 0 and room.keys[room.slots[slot] - 1] != key:
        slot = (slot + 1) & last
    return slot


@kernel
def add_node(room, slot, key, legal, favourite):
    """Adds a node whose edges are the mask's actions; returns it, -1 if there is no room.

    The favourite comes first, the others in random order.
    """
    node, first = room.used[NODES], room.used[EDGES]
    if node == room.keys.shape[0] or first + legal > room.actions.shape[0]:
        return -1
    room.used[NODES] = node + 1
    room.used[EDGES] = first + legal
    room.slots[slot] = node + 1
    room.keys[node] = key
    room.starts[node] = first
    room.widths[node] = legal
    room.visits[node] = 0
    room.actions[first] = favourite
    edge = first + 1
    for action in range(room.mask.shape[0]):
        if room.mask[action] != 0 and action != favourite:
            room.actions[edge] = action
            edge += 1
    for edge in range(first, first + legal):
        room.tries[edge] = 0
        room.results[edge] = 0.0
        room.leads[edge] = 0.0
    shuffle(room.stream, room.actions[first + 1 : first + legal], legal - 1)
    return node


@kernel
def worth(room, edge, lead_share):
    """Returns what an edge was worth to its mover so far, -1 to 1."""
    tries = room.tries[edge]
    width = room.span[_HIGH] - room.span[_LOW]
    lead = 0.0
    if width > 0.0:
        lead = 2.0 * (room.leads[edge] / tries - room.span[_LOW]) / width - 1.0
    return (1.0 - lead_share) * room.results[edge] / tries + lead_share * lead


@kernel
def choose_edge(room, node, plan):
    """Returns the edge to try: the best of worth and of what it may be worth beyond that.

    As AlphaZero's PUCT: an edge has a share of the exploration, and counts for as much as the node
    until it is tried. The first edge, what the bot would play, has the share `TRUST`, the others
    have the rest; all have the same where the bot plays at random.
    """
    first, count = room.starts[node], room.widths[node]
    visits, mean = room.visits[node], 0.0
    if visits == 0:
        return first
    for edge in range(first, first + count):
        if room.tries[edge] > 0:
            mean += worth(room, edge, plan.lead_share) * room.tries[edge] / visits
    scale = plan.exploration * math.sqrt(visits)
    best, found = -math.inf, first
    for edge in range(first, first + count):
        share = (1.0 - TRUST) / (count - 1)
        if plan.random:
            share = 1.0 / count
        elif edge == first:
            share = TRUST
        value = worth(room, edge, plan.lead_share) if room.tries[edge] > 0 else mean
        value += share * scale / (1 + room.tries[edge])
        if value > best:
            best, found = value, edge
    return found


@kernel
def back_up(room, depth):
    """Adds how the simulation ended to the edges of its path."""
    state = room.states[0]
    players = state.num_players
    alone = players == 1 or state.cooperative == 1
    total = 0
    for seat in range(players):
        total += state.score[seat]
    for seat in range(players):
        own = state.score[seat]
        lead = np.float64(own) if alone else own - (total - own) / (players - 1.0)
        room.span[_LOW] = min(room.span[_LOW], lead)
        room.span[_HIGH] = max(room.span[_HIGH], lead)
        for i in range(depth):
            if room.movers[i] == seat:
                room.visits[room.nodes[i]] += 1
                room.tries[room.path[i]] += 1
                room.results[room.path[i]] += room.returns[seat]
                room.leads[room.path[i]] += lead


@kernel
def best_edge(room, plan):
    """Returns the root's edge with the most tries; of equal ones the best, then the first action.

    What was never tried is never the best.
    """
    found = 0
    for edge in range(1, room.widths[0]):
        more = room.tries[edge] - room.tries[found]
        if more == 0 and room.tries[edge] > 0:
            better = worth(room, edge, plan.lead_share) - worth(room, found, plan.lead_share)
            more = 1 if better > 0.0 or (better == 0.0 and _earlier(room, edge, found)) else 0
        if more > 0:
            found = edge
    return found


@kernel
def _earlier(room, edge, other):
    return room.actions[edge] < room.actions[other]
