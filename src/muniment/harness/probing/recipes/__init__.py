"""Every recipe, by the harness's name. Versions are those that were last seen to work."""

from collections.abc import Mapping

from muniment.harness.probing.recipe import Recipe
from muniment.harness.probing.recipes import filed, hooked, plugged, scripted

RECIPES: Mapping[str, Recipe] = {
    recipe.harness: recipe for recipe in (*hooked.RECIPES, *plugged.RECIPES, *filed.RECIPES, *scripted.RECIPES)
}
