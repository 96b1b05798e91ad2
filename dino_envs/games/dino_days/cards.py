"""The cards of Dino Days: the facts of each kind, written once. Quoted lines are the rulebook's."""

from __future__ import annotations

import numpy as np

KINDS = (
    "giganotosaurus",
    "diplodocus_front",
    "diplodocus_rear",
    "tyrannosaurus",
    "spinosaurus",
    "dilophosaurus",
    "triceratops",
    "pteranodon",
    "stegosaurus",
    "baryonyx",
    "microraptor",
    "scientist",
    "nest",
    "volcano",
    "skeleton",
    "eggs",
    "meteor",
)
"""All kinds of cards, the dinosaurs first; a kind is its number here."""

(
    GIGANOTOSAURUS,
    DIPLODOCUS_FRONT,
    DIPLODOCUS_REAR,
    TYRANNOSAURUS,
    SPINOSAURUS,
    DILOPHOSAURUS,
    TRICERATOPS,
    PTERANODON,
    STEGOSAURUS,
    BARYONYX,
    MICRORAPTOR,
    SCIENTIST,
    NEST,
    VOLCANO,
    SKELETON,
    EGGS,
    METEOR,
) = range(len(KINDS))

DINOSAURS = SCIENTIST
"""How many kinds are dinosaurs: those below this number lie on boards."""

POINTS = np.array([10, 12, 0, 7, 5, 5, 3, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0])
"""The points of each kind. A diplodocus scores 12 in all, written on its front."""

DECK = {
    "giganotosaurus": 2,
    "diplodocus_front": 2,
    "diplodocus_rear": 2,
    "tyrannosaurus": 2,
    "spinosaurus": 3,
    "dilophosaurus": 3,
    "triceratops": 3,
    "pteranodon": 4,
    "stegosaurus": 4,
    "baryonyx": 4,
    "microraptor": 3,
    "scientist": 2,
    "nest": 1,
    "volcano": 1,
    "skeleton": 1,
    "eggs": 1,
    "meteor": 2,
}
"""One deck, "40 play cards". The rulebook does not say how many of each: assumed."""

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEK = len(DAYS)

SWAPS = {NEST: (0, 2), VOLCANO: (2, 2), SKELETON: (4, 2), EGGS: (6, 1)}
"""The swap cards: the first day of each and how many days it serves."""
