"""Harnesses with hooks of a form of their own."""

from __future__ import annotations

from muniment.harness.probing.recipe import Recipe

RECIPES: tuple[Recipe, ...] = ()
