"""The golden playthrough: a short random game that people have read."""


def test_it_shows_every_kind_of_decision_and_the_end(golden):
    played = [line.split()[1] for line in golden.splitlines() if line.startswith("  plays: ")]
    assert {"stop", "reroll", "eat"} <= set(played)
    assert 8 <= len(played) <= 40, "short enough to be read"
    assert "\n[end] over" in golden
