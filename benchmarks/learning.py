"""Trains and scores the published policies: `python benchmarks/learning.py dino_dice`.

It trains each algorithm by the game's shipped config with several seeds, a seed a core, scores
every policy on the whole ladder, and writes

- results/learning/CONFIG/ALGORITHM-SEED.json: a run, its scores and its learning curve,
- results/learning/CONFIG.png: the curves,
- results/learning.json and .md: the table over seeds, of all configs,
- training/dino_training/pretrained/CONFIG: the best policy of the main algorithm, which ships.

A run whose file is there is not trained again: delete the file and the run's folder to train anew.
One that was interrupted goes on from its checkpoint in `--runs`. `--set total_steps=... --runs
FOLDER --results FOLDER` tries it elsewhere. `benchmarks/pretrained.py` plays what ships.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from dino_training import checkpoint
from dino_training.config import Config, ConfigError, config_path, load_config
from dino_training.pretrained import export, pretrained_folder
from dino_training.scores import FILE as EVALUATIONS
from dino_training.train import resumed_config, train
from rich.console import Console
from scipy.stats import bootstrap
from table import RESULTS, conditions, kept, write

from dino_envs.evaluation import plots
from dino_envs.evaluation.plots import Curve
from dino_envs.games import load

ALGORITHMS = ("maskable_ppo", "ppo", "dqn")
MAIN = ALGORITHMS[0]
"""The one whose policies ship."""
CONFIGS = Path(__file__).resolve().parents[1] / "configs"


class Plan(NamedTuple):
    """What is trained, and where it goes."""

    game: str
    config: Path
    settings: list[str]
    games: int
    """Against each scripted bot, for a score that is told."""
    workers: int
    """How many runs at a time."""
    runs: Path
    results: Path

    @property
    def name(self) -> str:
        """Returns the name of the config."""
        return self.config.stem

    def told(self, algorithm: str, seed: int) -> Config:
        """Returns what a run is told: one core, and as many games in the end as are published."""
        chosen = [f"algorithm={algorithm}", f"seed={seed}", "threads=1"]
        chosen.append(f"evaluation.final_games={self.games}")
        return load_config(self.config, [*chosen, *self.settings], game=load(self.game))

    def record(self, algorithm: str, seed: int) -> Path:
        """Returns the file that tells of a run."""
        return self.results / "learning" / self.name / f"{algorithm}-{seed}.json"

    def run(self, algorithm: str, seed: int) -> Path:
        """Returns the folder of a run."""
        return self.runs / self.name / f"{algorithm}-{seed}"

    def records(self) -> list[dict[str, Any]]:
        """Returns what is told of all runs of the config, by algorithm and seed."""
        files = sorted((self.results / "learning" / self.name).glob("*.json"))
        found = [json.loads(file.read_text()) for file in files]
        return sorted(found, key=lambda run: (ALGORITHMS.index(run["algorithm"]), run["seed"]))


def main() -> None:
    """Trains what is not there yet; writes tables, curves and the best policy."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("game")
    arguments.add_argument("--config", help="another shipped config of the game, by its name")
    arguments.add_argument("--algorithms", nargs="+", default=ALGORITHMS, choices=ALGORITHMS)
    arguments.add_argument("--seeds", type=int, default=3, help="how many (default: 3)")
    arguments.add_argument(
        "--set", action="append", default=[], dest="settings", help="KEY=VALUE over the config"
    )
    arguments.add_argument("--games", type=int, default=10_000, help="a bot (default: 10000)")
    arguments.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="runs at a time (default: cores)"
    )
    arguments.add_argument("--runs", type=Path, default=Path("runs/learning"), help="checkpoints")
    arguments.add_argument("--results", type=Path, default=RESULTS, help="tables (default: here)")
    given = arguments.parse_args()
    if min(given.seeds, given.workers, given.games) < 1:
        arguments.error("--seeds, --workers, --games: at least one is wanted")
    path = config_path(given.config or given.game)
    if path is None or not f"{path.stem}_".startswith(f"{given.game}_"):
        known = ", ".join(sorted(file.stem for file in CONFIGS.glob("*.yaml")))
        wanted = f"config {given.config!r} of {given.game}" if given.config else repr(given.game)
        arguments.error(f"there is no {wanted}; there are {known}")
    sizes = (given.games, given.workers)
    plan = Plan(given.game, path, given.settings, *sizes, given.runs, given.results)
    try:
        if plan.told(MAIN, 0).evaluation.against == []:
            arguments.error("evaluation.against: policies are scored, so name an opponent")
    except ConfigError as error:
        arguments.error(str(error))
    where = conditions()
    try:
        learn(plan, [(name, seed) for name in given.algorithms for seed in range(given.seeds)])
    except KeyboardInterrupt:
        raise SystemExit("stopped; the same command goes on") from None
    draw(plan)
    tabulate(plan, where)
    ship(plan)


# Training


def learn(plan: Plan, tasks: Sequence[tuple[str, int]]) -> None:
    """Trains all that has no record, so many at a time."""
    missing = [task for task in tasks if not is_recorded(plan, *task)]
    for task in missing:
        refuse_another_run(plan, *task)
    with ThreadPoolExecutor(plan.workers) as waiting:
        started = {waiting.submit(train_apart, plan, *task): task for task in missing}
        try:
            for done in as_completed(started):
                print(*started[done], f"{done.result():.1f} minutes", flush=True)
        except BaseException:  # those that run end by the same signal, or to their end
            waiting.shutdown(wait=False, cancel_futures=True)
            raise


def train_apart(plan: Plan, algorithm: str, seed: int) -> float:
    """Trains a policy in a process of its own, as `trained` does; returns its minutes."""
    told = (plan, algorithm, seed)
    worker = multiprocessing.get_context("spawn").Process(target=trained, args=told)
    worker.start()
    worker.join()
    if worker.exitcode != 0:
        raise SystemExit(
            f"{algorithm} {seed} ended with {worker.exitcode}: the same command goes on"
        )
    return float(json.loads(plan.record(algorithm, seed).read_text())["minutes"])


def is_recorded(plan: Plan, algorithm: str, seed: int) -> bool:
    """Returns whether a run has been trained by the present config; by another is an error."""
    file = plan.record(algorithm, seed)
    if not file.exists():
        return False
    recorded = Config.model_validate(json.loads(file.read_text())["settings"])
    if settings(recorded) != settings(plan.told(algorithm, seed)):
        raise SystemExit(f"{file} is of another config: delete it, and {plan.run(algorithm, seed)}")
    return True


def refuse_another_run(plan: Plan, algorithm: str, seed: int) -> None:
    """Ends the program if there are checkpoints of another config where the run would go on."""
    folder, told = plan.run(algorithm, seed), plan.told(algorithm, seed)
    if not (folder / "latest").exists():
        return
    if settings(resumed_config(load(plan.game), folder)) != settings(told):
        raise SystemExit(f"{folder} is a run of another config: delete it, or give other --runs")


def settings(config: Config) -> dict[str, Any]:
    """Returns the keys that the algorithm reads, and their values."""
    return config.model_dump(exclude={"dqn", "ppo"} - {config.section})


def trained(plan: Plan, algorithm: str, seed: int) -> None:
    """Trains a policy on one core, or goes on with it, and writes its record."""
    where, game = conditions(), load(plan.game)
    config = plan.told(algorithm, seed)
    folder = plan.run(algorithm, seed)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "progress.txt", "a") as log:
        try:
            train(game.id, config, folder, (folder / "latest").exists(), Console(file=log))
        except KeyboardInterrupt:  # it has been saved
            sys.exit(130)
    lines = map(json.loads, (folder / EVALUATIONS).read_text().splitlines())
    curve = list({line["steps"]: line for line in lines}.values())  # the last one of each
    told = checkpoint.load(folder, game).description
    record = {
        "game": game.full_id,
        "config": plan.name,
        "algorithm": algorithm,
        "seed": seed,
        "players": curve[-1]["num_players"],
        "steps": told["steps"],
        "minutes": round(told["seconds"] / 60, 1),
        "conditions": where,
        "settings": settings(config),
        "curve": [_point(each) for each in curve],
    }
    place = plan.record(algorithm, seed)
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(".part")  # so that a record is there whole or not at all
    part.write_text(json.dumps(record, indent=1) + "\n")
    part.replace(place)


def _point(evaluation: dict[str, Any]) -> dict[str, Any]:
    """Returns what is kept of an evaluation."""
    kept_of_each = ("against", "score", "ci95", "games", "illegal_moves", "points", "win_rate")
    told = {key: evaluation[key] for key in ("steps", "seconds", "mean_score")}
    rungs = [
        {key: rung[key] for key in kept_of_each if key in rung} for rung in evaluation["results"]
    ]
    return {**told, "results": rungs}


# Over seeds


def interquartile_mean(values: Sequence[float]) -> float:
    """Returns the mean of the middle half of values, of which those at its edges count in part."""
    edges = np.linspace(0, 1, len(values) + 1).clip(0.25, 0.75)
    return float(np.sort(values) @ np.diff(edges) * 2)


def interval(values: Sequence[float]) -> str:
    """Returns a 95% bootstrap interval of the mean over seeds, empty for a single seed."""
    if len(values) == 1:
        return ""
    found = bootstrap([values], np.mean, method="percentile", rng=0).confidence_interval
    return f"{found.low:.4f} to {found.high:.4f}"


def tabulate(plan: Plan, where: dict[str, Any]) -> None:
    """Writes the rows of the config: a row for each algorithm and rung of the ladder."""
    records = plan.records()
    rows = [
        row([run for run in records if run["algorithm"] == algorithm], rung)
        for algorithm in dict.fromkeys(run["algorithm"] for run in records)
        for rung in range(len(records[0]["curve"][-1]["results"]))
    ]
    before = kept("learning", lambda other: other["config"] == plan.name, plan.results)
    changed = f" but for {', '.join(plan.settings)}" if plan.settings else ""
    title = f"Policies trained by the shipped configs{changed}, over seeds"
    told = sorted([*before, *rows], key=lambda each: each["config"])
    write("learning", title, where, told, plan.results)


def row(runs: Sequence[dict[str, Any]], rung: int) -> dict[str, Any]:
    """Returns the row of an algorithm's runs against one opponent."""
    told = [run["curve"][-1]["results"][rung] for run in runs]
    reached = [each["score"] for each in told]
    wins = [each["win_rate"] for each in told if each.get("win_rate") is not None]
    return {
        "game": runs[0]["game"],
        "config": runs[0]["config"],
        "algorithm": runs[0]["algorithm"],
        "seeds": len(runs),
        "steps": f"{runs[0]['steps']:,}",
        "minutes": f"{np.mean([run['minutes'] for run in runs]):.1f}",
        "players": runs[0]["players"],
        "against": told[0]["against"],
        "mean": f"{np.mean(reached):.4f}",
        "interquartile mean": f"{interquartile_mean(reached):.4f}",
        "95% interval": interval(reached),
        "points": f"{np.mean([each['points'] for each in told]):.2f}",
        "wins": f"{np.mean(wins):.4f}" if wins else "",
        "games": told[0]["games"],
        "illegal moves": sum(each["illegal_moves"] for each in told),
    }


def draw(plan: Plan) -> None:
    """Draws the score against the strongest bot over decisions: the mean and range of seeds."""
    records = plan.records()
    opponent = records[0]["curve"][-1]["results"][-1]["against"]
    told: dict[str, Curve] = {}
    for algorithm in dict.fromkeys(run["algorithm"] for run in records):
        runs = [run["curve"] for run in records if run["algorithm"] == algorithm]
        points = list(zip(*runs, strict=False))
        found = [[point["results"][-1]["score"] for point in each] for each in points]
        places = [each[0]["steps"] for each in points]
        ranges = [(min(values), max(values)) for values in found]
        told[algorithm] = (places, [float(np.mean(values)) for values in found], ranges)
    title = f"{plan.name}: score against {opponent}"
    figure = plots.curves(title, "decisions of the learner", "score", told, 0.5)
    (plan.results / "learning" / f"{plan.name}.png").write_bytes(plots.png(figure))


# The policy that ships


def ship(plan: Plan) -> None:
    """Exports the policy that was best on the ladder, of all seeds, if their runs are here."""
    game = load(plan.game)
    folders = [plan.run(MAIN, run["seed"]) for run in plan.records() if run["algorithm"] == MAIN]
    if not all(folder.exists() for folder in folders):
        print(f"not all of {', '.join(map(str, folders))} are here: what ships stays as it is")
    elif folders:
        found = [checkpoint.load(folder / "best", game) for folder in folders]
        best = max(found, key=lambda each: float(each.description["evaluation"]["mean_score"]))
        home = (
            pretrained_folder()
            if plan.results.resolve() == RESULTS
            else plan.results / "pretrained"
        )
        print(f"{best.folder} ships as {export(best, home / plan.name)}")


if __name__ == "__main__":
    main()
