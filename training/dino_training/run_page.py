"""Tells a run as a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import yaml

from dino_envs.engine import ExactScore
from dino_envs.evaluation import Result, plots
from dino_envs.evaluation.behaviour import Behaviour
from dino_envs.evaluation.plots import Curve
from dino_envs.evaluation.report import versions
from dino_training import html, run_league
from dino_training.config_text import as_typed, explained
from dino_training.run_record import Observed, Run, Standing
from dino_training.scores import Evaluation, Rung, SeatTally

_MANY_LENGTHS = 12
"""Turns of so many actions or more are counted together."""


def page(told: Observed) -> str:
    """Returns the report of a run as HTML that needs no other file."""
    run = told.run
    parts = [
        _summary(run),
        _ladder(run),
        _learning(run),
        *([] if told.exact is None else [_exact(told, told.exact)]),
        _behaviour(told),
        *([run_league.section(told.league)] if told.league else []),
        _configuration(run),
        _origin(told),
    ]
    return html.page(f"{run.game.title}: {run.folder.resolve().name}", parts)


def _summary(run: Run) -> str:
    steps, seconds = run.checkpoint.description["steps"], run.checkpoint.description["seconds"]
    players = run.options["num_players"]
    return html.paragraph(
        f"{run.checkpoint.folder.name} of {run.folder}: {steps:,} of {run.config.total_steps:,} "
        f"decisions in {seconds / 60:.1f} minutes of training, in {run.game.full_id} with "
        f"{players} player{'s' if players > 1 else ''}."
    )


# The ladder


def _ladder(run: Run) -> str:
    parts = []
    for standing in run.standings:
        if standing.evaluation is None:
            parts.append(html.paragraph(f"{standing.name} has not been evaluated."))
        else:
            parts += _rungs(standing, standing.evaluation)
    return html.section("The ladder of scripted bots", *parts)


def _rungs(standing: Standing, evaluation: Evaluation) -> Iterator[str]:
    when = "" if evaluation.steps == standing.steps else f", scored at {evaluation.steps:,}"
    yield html.paragraph(
        f"{standing.name} ({standing.steps:,} decisions{when}): mean score "
        f"{evaluation.mean_score:.4f}; evaluation seed {evaluation.seed}."
    )
    headings = ("against", "score", "95% interval", "by seat", "points", "their points")
    yield html.table(
        (*headings, "games", "illegal moves"),
        [
            (
                rung.against,
                f"{rung.score:.4f}",
                html.interval(rung.ci95),
                ", ".join(_seat_score(tally) for tally in rung.by_seat),
                f"{rung.points:.2f}",
                f"{rung.opponent_points:.2f}",
                f"{rung.games:,}",
                rung.illegal_moves,
            )
            for rung in evaluation.results
        ],
    )


def _seat_score(tally: SeatTally) -> str:
    games = tally.wins + tally.draws + tally.losses
    return f"{(tally.wins + tally.draws / 2) / max(1, games):.4f}"


# Learning curves


def _learning(run: Run) -> str:
    evaluations = run.evaluations
    if not evaluations:
        return html.section("Learning", html.paragraph("The run has no evaluations yet."))
    parts = []
    for across, places in (
        ("decisions of the learner", [each.steps for each in evaluations]),
        ("minutes of training", [each.seconds / 60 for each in evaluations]),
    ):
        told = _curves(evaluations, places)
        drawn = plots.curves(f"Score over {across}", across, "score", told, 0.5)
        caption = f"Score against each bot over {across}, with 95% intervals; 0.5 is parity."
        parts.append(html.figure(plots.svg(drawn), caption))
    steps = [each.steps for each in evaluations]
    drawn = plots.curves("Points", "decisions of the learner", "points", _points(run, steps))
    parts.append(html.figure(plots.svg(drawn), "The policy's mean final points against each bot."))
    if run.damaged_lines:
        told_of = f"{run.damaged_lines} lines of evaluations.jsonl cannot be read and are left out."
        parts.append(html.remark(told_of))
    return html.section("Learning", *parts)


def _rung(evaluation: Evaluation, against: str) -> Rung | None:
    return next((rung for rung in evaluation.results if rung.against == against), None)


def _opponents(evaluations: Sequence[Evaluation]) -> list[str]:
    return list(dict.fromkeys(rung.against for each in evaluations for rung in each.results))


def _curves(evaluations: Sequence[Evaluation], places: Sequence[float]) -> dict[str, Curve]:
    told: dict[str, Curve] = {}
    for against in _opponents(evaluations):
        found = [
            (place, rung.score, rung.ci95)
            for place, each in zip(places, evaluations, strict=True)
            if (rung := _rung(each, against)) is not None
        ]
        where, values, intervals = zip(*found, strict=True)
        told[against] = (where, values, intervals)
    return told


def _points(run: Run, places: Sequence[float]) -> dict[str, Curve]:
    told: dict[str, Curve] = {}
    for against in _opponents(run.evaluations):
        found = [
            (place, rung.points)
            for place, each in zip(places, run.evaluations, strict=True)
            if (rung := _rung(each, against)) is not None
        ]
        where, values = zip(*found, strict=True)
        told[f"against {against}"] = (where, values, None)
    return told


# Against perfect play


def _exact(told: Observed, exact: ExactScore) -> str:
    rows = [
        (f"seat {seat}", f"{mine:.6f}", f"{best:.6f}", f"{best - mine:.6f}")
        for seat, (mine, best) in enumerate(zip(exact.by_seat, exact.perfect, strict=True))
    ]
    best = sum(exact.perfect) / len(exact.perfect)
    rows.append(("mean", f"{exact.score:.6f}", f"{best:.6f}", f"{exact.loss:.6f}"))
    parts = [
        html.paragraph(
            f"Computed over all chance, not sampled: against perfect play ({told.perfect}) the "
            f"policy scores {exact.score:.6f} and so loses {exact.loss:.6f}."
        ),
        html.table(("from", "the policy scores", "perfect play scores", "loss"), rows),
        html.remark(
            f"{exact.positions:,} decisions of the policy; positions with a chance of less than "
            f"{exact.uncertainty:.1e} in all are valued as perfect play, so the loss is at most "
            f"{exact.loss + exact.uncertainty:.6f}."
        ),
    ]
    if told.sampled is not None:
        held = told.sampled.ci95[0] <= exact.score <= told.sampled.ci95[1]
        parts.append(
            html.remark(
                f"Sampled in {told.sampled.games:,} games: {told.sampled.score:.4f}, 95% interval "
                f"{html.interval(told.sampled.ci95)}, which "
                f"{'holds' if held else 'misses'} the exact score."
            )
        )
    return html.section("Exact loss against perfect play", *parts)


# Behaviour


def _behaviour(told: Observed) -> str:
    result = told.result
    parts = [
        html.paragraph(
            f"{result.games:,} games of the policy against {told.opponent}, the strongest scripted "
            f"bot, from every seat: score {result.score:.4f}, 95% interval "
            f"{html.interval(result.ci95)}; {result.distinct_games:,} distinct games, "
            f"{result.illegal_moves} illegal moves."
        ),
        _statistics(told.behaviours),
        _seats(result),
        _blocks(told),
    ]
    if told.run.options["num_players"] > 1:
        parts.append(_turns(told.behaviours))
    points = {each.agent: each.points.tolist() for each in told.behaviours}
    drawn = plots.histogram("Final points", "points", points)
    parts.append(html.figure(plots.svg(drawn), "How often the games ended with so many points."))
    return html.section("How it plays", *parts)


def _statistics(behaviours: Sequence[Behaviour]) -> str:
    rows = []
    for each in behaviours:
        turns, points = each.turn_lengths, each.points
        low, median, high = np.quantile(points, (0.05, 0.5, 0.95), method="inverted_cdf")
        rows.append(
            (
                each.agent,
                f"{each.actions_a_game:.2f}",
                f"{len(turns) / each.seats_played:.2f}",
                f"{turns.mean():.2f}",
                f"{points.mean():.2f}",
                f"{points.std():.2f}",
                f"{low} / {median} / {high}",
            )
        )
    headings = ("agent", "actions a game", "turns a game", "actions a turn")
    return html.table((*headings, "points", "their sd", "5 / 50 / 95 %"), rows)


def _seats(result: Result) -> str:
    rows = []
    for record in result.by_seat:
        games = record.wins + record.draws + record.losses
        score = (record.wins + record.draws / 2) / max(1, games)
        rows.append((record.seat, f"{score:.4f}", record.wins, record.draws, record.losses))
    return html.table(("seat of the policy", "score", "wins", "draws", "losses"), rows)


def _blocks(told: Observed) -> str:
    shares = {each.agent: each.block_shares(told.run.game) for each in told.behaviours}
    blocks = list(told.run.game.actions.blocks)
    rows = [(block, *(f"{shares[name][block]:.4f}" for name in shares)) for block in blocks]
    values = {name: list(share.values()) for name, share in shares.items()}
    drawn = plots.bars("Use of the blocks of actions", "share of all actions", blocks, values)
    return "\n".join(
        [
            html.table(("block of actions", *shares), rows),
            html.figure(plots.svg(drawn), "The share of each block in all actions played."),
        ]
    )


def _turns(behaviours: Sequence[Behaviour]) -> str:
    longest = max(int(each.turn_lengths.max()) for each in behaviours)
    most = min(longest, _MANY_LENGTHS)
    shares = {}
    for each in behaviours:
        counts = np.bincount(np.minimum(each.turn_lengths, most), minlength=most + 1)[1:]
        shares[each.agent] = (counts / counts.sum()).tolist()
    places = [str(length) for length in range(1, most + 1)]
    places[-1] += "" if longest == most else "+"
    drawn = plots.bars("Length of a turn", "share of all turns", places, shares)
    caption = "Actions of a seat until another acts."
    return html.figure(plots.svg(drawn), caption)


# Where it comes from


def _configuration(run: Run) -> str:
    rows = []
    for key, value, default, meaning in explained(run.config):
        changed = "" if value == default else as_typed(default)
        rows.append((key, as_typed(value), changed, meaning))
    values = run.config.model_dump(mode="json")
    text = yaml.safe_dump(values, sort_keys=False, default_flow_style=None, width=100)
    return html.section(
        "Configuration",
        html.table(("key", "value", "default, where other", "what it does"), rows),
        html.remark("As a file for --config:"),
        html.verbatim(text),
    )


def _origin(told: Observed) -> str:
    run, now = told.run, versions()
    then = run.checkpoint.description.get("versions", {})
    packages = list(dict.fromkeys([*then, *(name.replace("_", "-") for name in now)]))
    options = [
        (name, run.game.all_options[name].text(value)) for name, value in run.options.items()
    ]
    seeds = [
        ("training", run.config.seed),
        ("evaluation", run.config.evaluation.seed),
        ("the games watched here", told.result.seed),
    ]
    return html.section(
        "Game, seeds and versions",
        html.paragraph(f"{run.game.full_id}, with the options"),
        html.table(("option", "value"), options),
        html.table(("chance of", "seed"), seeds),
        html.table(
            ("package", "trained with", "this report"),
            [(name, then.get(name, ""), now.get(name.replace("-", "_"), "")) for name in packages],
        ),
    )
