"""The league of a run: what became of its pool, and whether the policy still beats its past."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dino_envs.engine import Game
from dino_envs.evaluation import Result, evaluate
from dino_training import html
from dino_training.checkpoint import Checkpoint, damaged
from dino_training.config import Config
from dino_training.league import UNKNOWN, drawn_shares
from dino_training.learner import SNAPSHOTS, kept_records, kept_snapshots
from dino_training.policy import Net, NetAgent

Doing = Callable[[str], None]
"""Is told what goes on."""


@dataclass(frozen=True)
class Member:
    """A snapshot in the pool of a checkpoint."""

    name: str
    games: int
    """How many games of the training ended against it."""
    lost: float
    """How much of the last of them the learner lost, 0 to 1; nothing is known without games."""
    drawn: float
    """How often it is drawn from now on, of all draws of an opponent."""
    result: Result
    """The policy against it, both playing as the policy is scored."""

    @property
    def is_better(self) -> bool:
        """Returns whether it is better than the policy, beyond the 95% interval."""
        return self.result.ci95[1] < 0.5


def members(
    game: Game, found: Checkpoint, config: Config, games: int, seed: int, doing: Doing
) -> tuple[Member, ...]:
    """Plays the policy of a checkpoint against each member of its pool, the oldest first.

    Args:
        game: what is played.
        found: the checkpoint.
        config: the run's.
        games: how many against each, from every seat; where nobody plays against another, how
            many each plays.
        seed: fixes their chance.
        doing: is told what goes on.

    Returns:
        Nobody in games for one player, who has no opponents.

    Raises:
        CheckpointError: the weights, the snapshots or their records are damaged.
    """
    options, size = game.complete(config.options), config.opponents.pool_size
    if options["num_players"] == 1:
        return ()
    nets, records = _pool(found, size), kept_records(found, 2 * size)
    policy, places = found.player(), [number % (2 * size) for number in nets]
    drawn = drawn_shares(config.opponents.shares, records.lost[places])
    told = []
    arguments: dict[str, Any] = {"games": games, "seed": seed, "options": options}
    for (number, net), place, share in zip(nets.items(), places, drawn.tolist(), strict=True):
        name = _name(number, int(records.steps[place]))
        doing(f"playing {games:,} games against the snapshot {name}")
        result = evaluate(
            game, policy, NetAgent(net, sample=policy.sample), names=("policy", name), **arguments
        )
        record = int(records.games[place]), float(records.lost[place])
        told.append(Member(name, *record, share, result))
    return tuple(told)


def _pool(found: Checkpoint, size: int) -> dict[int, Net]:
    """Returns the snapshots of a pool of so many by their numbers, the oldest first."""
    nets = kept_snapshots(found, size)
    if not nets:
        raise damaged(found.folder, f"{SNAPSHOTS} does not hold the pool")
    return dict(list(nets.items())[-size:])


def _name(number: int, steps: int) -> str:
    return f"number {number}" if steps == UNKNOWN else f"at {steps:,} decisions"


def verdict(pool: Sequence[Member]) -> str:
    """Returns the sentence that says whether the policy is worse than a snapshot of its past."""
    better = [member for member in pool if member.is_better]
    if not better:
        return (
            f"The policy is not worse than any of the {len(pool)} snapshots in its pool: no 95% "
            "interval of its scores against them lies below 0.5."
        )
    named = "; ".join(
        f"{each.name} (score {each.result.score:.4f}, {html.interval(each.result.ci95)})"
        for each in better
    )
    count = f"{len(better)} of the {len(pool)} snapshots in its pool"
    return f"The policy is worse than {count}: {named}."


def section(pool: Sequence[Member]) -> str:
    """Returns the league's section of a page, of a pool of at least one member."""
    return html.section(
        "The league",
        html.paragraph("The pool of the learner's own past, as this checkpoint has it:"),
        _training(pool),
        html.paragraph("The policy against each of them, both playing as the policy is scored:"),
        _meetings(pool),
        html.paragraph(verdict(pool)),
        html.remark(
            "Of 40 intervals against equals one lies below 0.5 by chance. A lower score against an "
            "early snapshot than against a later one tells that something was forgotten."
        ),
    )


def _training(pool: Sequence[Member]) -> str:
    rows = [
        (
            member.name,
            f"{member.games:,}",
            f"{member.lost:.4f}" if member.games else "",
            f"{member.drawn:.4f}",
        )
        for member in pool
    ]
    headings = ("snapshot", "games in training", "lost to it of late", "share of the draw now")
    told = (
        "Lost is the mean of (1 - return of the learner) / 2 over about the last hundred games: of "
        "two players the share of games that were lost, a draw being half. By it the pool's share "
        "is split; snapshots are taken, and met below, even where none is drawn."
    )
    return "\n".join([html.table(headings, rows), html.remark(told)])


def _meetings(pool: Sequence[Member]) -> str:
    together = pool[0].result.win_rate is not None
    rows = []
    for member in pool:
        result = member.result
        rates = (result.win_rate, result.opponent_win_rate) if together else ()
        rows.append(
            (
                member.name,
                f"{result.score:.4f}",
                html.interval(result.ci95),
                *(f"{rate:.4f}" for rate in rates),
                f"{result.points:.2f}",
                f"{result.opponent_points:.2f}",
                f"{result.games:,}",
            )
        )
    wins = ("wins", "its wins") if together else ()
    headings = ("snapshot", "score", "95% interval", *wins, "points", "its points", "games")
    told = html.table(headings, rows)
    if not together:
        return told
    apart = "All play together: the policy, and each snapshot, sits at all seats of its games."
    return "\n".join([told, html.remark(apart)])
