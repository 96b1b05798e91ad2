"""The golden playthrough: a short random game that people have read."""

from dino_envs.games.scale_of_trex import GAME


def played(golden: str) -> list[str]:
    lines = [line for line in golden.splitlines() if line.startswith("  plays: ")]
    return [line.removeprefix("  plays: ").rpartition(" ")[0] for line in lines]


def test_it_shows_all_kinds_of_acts_and_the_end(golden):
    """All but the calls of two players, who play another game."""
    acts = played(golden)
    blocks = {GAME.actions.locate(GAME.view.action_number(name))[0] for name in acts}
    assert blocks == set(GAME.actions.blocks) - {"call"}
    assert len(acts) <= 60, "short enough to be read"
    assert "\n[end] over" in golden


def test_cards_are_revealed_in_it(golden):
    words = golden.split()
    partners = [words[i + 1] for i, word in enumerate(words) if word == "partner"]
    assert len(set(partners)) > 1
