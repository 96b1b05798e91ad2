"""The golden playthrough: a short random game that people have read."""

from itertools import pairwise

from dino_envs.games.dino_days import GAME


def test_it_shows_most_kinds_of_decisions_and_the_end(golden):
    """All but a nest, a volcano, a hoard and a pass, which one short game has no room for."""
    played = [line.split()[1] for line in golden.splitlines() if line.startswith("  plays: ")]
    assert set(played) == set(GAME.actions.blocks) - {"nest", "volcano", "pass"}
    assert 20 <= len(played) <= 40, "short enough to be read"
    assert "\n[end] over" in golden


def test_the_discards_are_shuffled_in_it(golden):
    words = golden.split()
    sizes = [int(words[i + 1].rstrip(",")) for i, word in enumerate(words) if word == "pile_size"]
    assert any(after > before for before, after in pairwise(sizes))
