"""The pages that people read: their generated parts and their code."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "dino_envs" / "games").glob("*/README.md"))]


def test_generated_parts_are_up_to_date() -> None:
    script = [sys.executable, str(ROOT / "benchmarks" / "pages.py"), "--check"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_points_to_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target


def test_the_readme_opens_with_the_two_commands() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    commands = [line for line in lines[:10] if line.startswith("make ")]
    assert [line.split()[1] for line in commands] == ["demo", "test"]


def test_the_readme_s_python_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    whole = [block for block in blocks if "import dino_envs" in block or "from dino_envs" in block]
    assert len(whole) >= 3
    for block in whole:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
