"""Checkpoints: a folder of weights (safetensors) and JSON; reading one executes no code from it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy.typing as npt
import safetensors.numpy
import safetensors.torch
import torch
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    NonNegativeInt,
    PositiveInt,
    Strict,
    ValidationError,
)
from safetensors import SafetensorError

from dino_envs.engine import DinoEnvsError, DinoEnvsWarning, Game
from dino_training.policy import Net, NetAgent, NetLayout

FORMAT, OLDEST = 4, 2
"""The format that is written, which rises when the programs before cannot read it, and the oldest
that is read. 3 has several algorithms; what format 2 does not say is as MaskablePPO has it. 4 may
hold what plays alone, and keeps records of the snapshots in the pool."""

DESCRIPTION, WEIGHTS = "checkpoint.json", "weights.safetensors"
POINTERS = ("latest", "best")
"""Files in a run's folder that hold the name of one of its checkpoints."""

PACKAGED = Path(__file__).parent / "pretrained"
"""Where the checkpoints lie that are installed with the package; see `dino_training.pretrained`."""

Tensors = dict[str, torch.Tensor]

_TWISTER = 624
"""How many numbers the state of NumPy's stream has: at a position beyond them it reads others'."""

_NAME = re.compile(r"checkpoint-([0-9]{1,18})")
_PACKAGES = ("dino-envs", "numpy", "torch", "stable-baselines3", "sb3-contrib", "safetensors")


class CheckpointError(DinoEnvsError, RuntimeError):
    """A checkpoint cannot be read or written."""


class OtherPlayersWarning(DinoEnvsWarning):
    """A policy plays with another number of players than it has learnt with."""


_Count = Annotated[int, Field(ge=0, lt=2**63)]


class _Typed(BaseModel):
    """Takes no text for a number: what is checked is used as it stands."""

    model_config = ConfigDict(strict=True)


class _File(_Typed):
    size: int
    sha256: str


class _Options(_Typed):
    num_players: PositiveInt | None = None


class _Scored(_Typed):
    sample: bool = False


class _Config(_Typed):
    evaluation: _Scored = _Scored()


class _Playable(_Typed):
    """The types of what must be known to play."""

    game: str
    game_version: int
    observation: list[Any]
    actions: list[Any]
    files: dict[str, _File]
    options: _Options = _Options()
    config: _Config = _Config()
    steps: NonNegativeInt
    versions: dict[str, str] = {}


class _Best(_Typed):
    checkpoint: str
    mean_score: FiniteFloat


class _Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Games(_Typed):
    finished: _Count
    skipped: _Count
    illegal: _Count = 0
    paid: dict[str, Annotated[tuple[_Count, FiniteFloat], Strict(False)]]  # JSON has lists alone


class _Adam(_Typed):
    lr: Annotated[FiniteFloat, Field(ge=0)]


class _Resumable(_Typed):
    """The types of what must be known, besides, to go on."""

    config: dict[str, Any]
    algorithm: Literal["maskable_ppo", "ppo", "dqn"] | None = None
    updates: _Count
    seconds: FiniteFloat
    games: _Games
    snapshots_added: _Count
    optimizer: list[_Adam]
    numpy_stream: Annotated[int, Field(ge=0, le=_TWISTER)]
    evaluation: dict[str, Any]
    evaluation_due: bool = False
    best: _Best | _Nothing


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on disk whose description has been read."""

    folder: Path
    description: dict[str, Any]

    @property
    def layout(self) -> NetLayout:
        """Returns the shape of the network."""
        return NetLayout.model_validate(self.description["network"])

    @property
    def num_players(self) -> int | None:
        """Returns with how many players it has learnt, None where it does not say."""
        found: int | None = self.description.get("options", {}).get("num_players")
        return found

    def check_resumable(self) -> None:
        """Checks all that is needed to go on, besides what `load` has checked.

        Raises:
            CheckpointError: something is missing or of another type.
        """
        if not self.layout.whole:
            raise CheckpointError(
                f"{self.folder} holds what plays alone, so it cannot be resumed, only played"
            )
        self.check(_Resumable)

    def check(self, model: type[BaseModel]) -> None:
        """Checks the types of the description; errors as for `check_resumable`."""
        try:
            model.model_validate(self.description)
        except ValidationError as error:
            fault = error.errors()[0]
            where, what = ".".join(map(str, fault["loc"])), fault["msg"]
            raise damaged(self.folder, f"{where[:60]} in {DESCRIPTION}: {what}") from error

    def read(self, name: str) -> bytes:
        """Returns the content of a file, after comparing its size and hash.

        Raises:
            CheckpointError: the file is missing, cut short or changed.
        """
        expected = self.description["files"].get(name)
        try:
            data = (self.folder / name).read_bytes()
        except OSError as error:
            raise damaged(self.folder, f"{name} cannot be read ({error.strerror})") from error
        if expected is None or len(data) != expected["size"]:
            size = "none" if expected is None else expected["size"]
            raise damaged(self.folder, f"{name} has {len(data)} bytes, {size} were written")
        if hashlib.sha256(data).hexdigest() != expected["sha256"]:
            raise damaged(self.folder, f"{name} is not what was written (its hash differs)")
        return data

    def tensors(self, name: str) -> Tensors:
        """Returns the tensors of a safetensors file; errors as for `read`."""
        try:
            found: Tensors = safetensors.torch.load(self.read(name))
        except SafetensorError as error:
            raise damaged(self.folder, f"{name}: {error}") from error
        return found

    def arrays(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """Returns the arrays of a safetensors file; errors as for `read`."""
        try:
            found: dict[str, npt.NDArray[Any]] = safetensors.numpy.load(self.read(name))
        except SafetensorError as error:
            raise damaged(self.folder, f"{name}: {error}") from error
        return found

    def net(self) -> Net:
        """Returns the policy's network.

        Raises:
            CheckpointError: the weights are damaged or of another shape.
        """
        return Net(self.layout, self.weights())

    def player(self, *, sample: bool | None = None) -> NetAgent:
        """Returns who plays by it, unless told as it was scored; errors as for `net`."""
        scored = self.description.get("config", {}).get("evaluation", {}).get("sample", False)
        return NetAgent(self.net(), sample=scored if sample is None else sample)

    def weights(self) -> Tensors:
        """Returns the weights of policy and value; errors as for `net`."""
        weights = self.tensors(WEIGHTS)
        expected = self.layout.shapes()
        found = {name: tuple(weight.shape) for name, weight in weights.items()}
        if found != expected:
            wrong = sorted({*found.items()} ^ {*expected.items()})[0][0]
            raise damaged(self.folder, f"{wrong!r} in {WEIGHTS} does not fit the network")
        return weights


def describe_game(game: Game) -> dict[str, Any]:
    """Returns what a policy for this game depends on: ids, and the layouts it sees and answers."""
    return {
        "game": game.id,
        "game_version": game.version,
        "observation": [[field.name, list(field.shape)] for field in game.observation.fields],
        "actions": [[name, size] for name, size in game.actions.blocks.items()],
    }


def package_versions() -> dict[str, str]:
    """Returns the installed versions that a result depends on."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def steps_of(name: str) -> int | None:
    """Returns the number in the name of a checkpoint's folder, None if it is another name."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def run_of(folder: Path) -> Path:
    """Returns the folder of the run that a checkpoint belongs to.

    Raises:
        CheckpointError: it lies in none.
    """
    if steps_of(folder.name) is None or not os.path.isfile(folder.parent / POINTERS[0]):
        raise CheckpointError(
            f"{folder} lies in no run's folder, so it cannot be resumed, only played: a run holds "
            f"the file {POINTERS[0]!r} and folders checkpoint-STEPS"
        )
    return folder.parent


def find(path: Path) -> Path:
    """Returns the folder of a checkpoint from its own, its run's, or a pointer file's path.

    A run's folder stands for its latest checkpoint.

    Raises:
        CheckpointError: there is none.
    """
    if os.path.isfile(path / DESCRIPTION):
        return path.resolve() if path.name in ("", "..") else path
    folder = os.path.isdir(path)
    pointer = path / POINTERS[0] if folder else path
    if not os.path.isfile(pointer):
        what = "holds no checkpoint" if folder else "does not exist"
        raise CheckpointError(
            f"{_cut(str(path), 300)} {what}; give the folder of a run (it holds the file "
            f"{POINTERS[0]!r}) or of a checkpoint (it holds {DESCRIPTION})"
        )
    try:
        with open(pointer, "rb") as file:
            name = file.read(300).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        name = ""
    named = pointer.parent / name
    if not name or Path(name).name != name or not os.path.isfile(named / DESCRIPTION):
        others = sorted(p.parent.name for p in pointer.parent.glob(f"checkpoint-*/{DESCRIPTION}"))
        raise CheckpointError(
            f"{pointer} names no checkpoint ({_cut(name, 40)!r}); there are: "
            + (", ".join(others) or "none")
        )
    return named


def load(path: Path, game: Game | None = None) -> Checkpoint:
    """Reads the description of a checkpoint, and checks it against the game to be played.

    Raises:
        CheckpointError: it is missing, damaged, of another format, of another game, game version
            or layout; the message says what to do.
    """
    folder = find(path)
    try:
        description = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise damaged(folder, f"{DESCRIPTION}: {_cut(str(error), 100)}") from error
    found = description.get("format") if isinstance(description, dict) else None
    if not isinstance(found, int) or found < 1:
        raise damaged(folder, f"{DESCRIPTION} has no format number")
    if found > FORMAT:
        raise CheckpointError(
            f"{folder} is written in format {found}, this program reads up to {FORMAT}: "
            "install a newer dino-envs (pip install -U 'dino-envs[train]')"
        )
    if found < OLDEST:
        raise CheckpointError(
            f"{folder} is written in format {found}, this program reads {OLDEST} to {FORMAT}: "
            + _advice(folder, "train again, or use the older dino-envs that wrote it")
        )
    checkpoint = Checkpoint(folder, description)
    _check_description(checkpoint)
    if game is not None:
        _check_game(checkpoint, game)
    return checkpoint


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 3] + "..."


def _check_description(checkpoint: Checkpoint) -> None:
    missing = {"game", "game_version", "observation", "actions", "network", "files", "steps"}
    missing -= set(checkpoint.description)
    if missing:
        raise damaged(checkpoint.folder, f"{DESCRIPTION} lacks {', '.join(sorted(missing))}")
    try:
        _ = checkpoint.layout
    except ValidationError as error:
        faults = ", ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        what = f"the network in {DESCRIPTION}: {faults}"
        raise damaged(checkpoint.folder, what) from error
    checkpoint.check(_Playable)


def _check_game(checkpoint: Checkpoint, game: Game) -> None:
    folder, ours, theirs = checkpoint.folder, describe_game(game), checkpoint.description
    if theirs["game"] != ours["game"]:
        raise CheckpointError(
            f"{folder} learnt {theirs['game']}, not {game.id}: choose another checkpoint, "
            f"or train one with `dino-envs train {game.id}`"
        )
    writer = theirs.get("versions", {}).get("dino-envs", "?")
    for key, what in (
        ("game_version", "version"),
        ("observation", "observation layout"),
        ("actions", "action table"),
    ):
        if theirs[key] != ours[key]:
            raise CheckpointError(
                f"{folder} learnt another {what} of {game.id}: "
                f"{_difference(theirs[key], ours[key])}. "
                + _advice(folder, f"Train again, or use dino-envs {writer}, which wrote it")
            )
    sizes = (game.observation.size, game.actions.size)
    players = range(game.min_players, game.max_players + 1)
    network, seen = checkpoint.layout, [tuple(game.observation.used(seats)) for seats in players]
    if (network.inputs, network.outputs) != sizes or network.parts not in seen:
        raise damaged(folder, f"the network in {DESCRIPTION} does not fit the layouts there")


def _difference(theirs: Any, ours: Any) -> str:
    """Returns the first thing in which two layouts differ."""
    if not isinstance(theirs, list) or not isinstance(ours, list):
        return f"{theirs} there, {ours} here"
    for there, here in zip(theirs, ours, strict=False):
        if there != here:
            return f"{there} there, {here} here"
    return f"{len(theirs)} parts there, {len(ours)} here"


def damaged(folder: Path, what: str) -> CheckpointError:
    """Returns the error of a checkpoint that cannot be used, which says what to do."""
    advice = _advice(
        folder,
        "Use another checkpoint of the run: delete this folder and write another one's name into "
        "the file 'latest' beside it",
    )
    return CheckpointError(f"{folder} is damaged: {what}. {advice}")


def _advice(folder: Path, otherwise: str) -> str:
    """Returns what to do: what came with the package can only come anew."""
    if folder.resolve().parent != PACKAGED.resolve():
        return otherwise
    return "Reinstall dino-envs: pip install --force-reinstall --no-deps dino-envs"
