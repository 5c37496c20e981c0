"""Harnesses that read a file of rules and no more."""

from __future__ import annotations

from muniment.harness.probing.recipe import Recipe

RECIPES: tuple[Recipe, ...] = ()
