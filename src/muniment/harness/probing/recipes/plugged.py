"""Harnesses that take plugins or extensions."""

from __future__ import annotations

from muniment.harness.probing.recipe import Recipe

RECIPES: tuple[Recipe, ...] = ()
