"""Scripted players of Dino Days."""

from __future__ import annotations

from dino_envs.engine.bot import Bot

BOTS: dict[str, Bot] = {}
