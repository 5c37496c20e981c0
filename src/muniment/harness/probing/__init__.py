"""Does what we give reach the model? A harness is run against a model of our own, and the answer is read off its request.

recipes     how each harness is pointed at the stub model, in a home of its own
scenario    the turns of a probe: tools, a resumed session, a compaction, the turn behind it
room        a home, a project, a store with a planted fact, and the files of a recipe
playing     runs the turns where nothing can leave (`python -m muniment.harness.probing PLAN`)
verdict     what the recorded requests show, by path and role
marking     the hook that marks what it answers, for the moments at which ours is silent
"""

from muniment.harness.probing.recipe import Package, Recipe, Setting
from muniment.harness.probing.recipes import RECIPES
from muniment.harness.probing.room import Room, prepared
from muniment.harness.probing.verdict import Verdict, judged

__all__ = ["RECIPES", "Package", "Recipe", "Room", "Setting", "Verdict", "judged", "prepared"]
