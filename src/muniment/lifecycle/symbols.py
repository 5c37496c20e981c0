"""Definitions in source code by their structure: how it is written out, and what comments say, does not count.

The grammars come in wheels of their own (`pip install muniment[code]`); each is loaded when a file of its language is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

from muniment.errors import MissingExtraError
from muniment.model.ids import hash128

SCHEME = "ts1"
"""The way a structure becomes a hash; another way gets another name."""

_GRAMMARS = {
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
}
_SUFFIXES = {
    "py": "python", "pyi": "python", "js": "javascript", "jsx": "javascript", "mjs": "javascript", "cjs": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx", "go": "go", "rs": "rust", "java": "java",
    "c": "c", "h": "cpp", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hh": "cpp", "hpp": "cpp", "hxx": "cpp",
}  # fmt: skip
_NAMED = frozenset(
    "function_definition class_definition function_declaration generator_function_declaration class_declaration"
    " abstract_class_declaration method_definition variable_declarator interface_declaration type_alias_declaration"
    " enum_declaration public_field_definition field_definition internal_module module function_signature"
    " method_signature abstract_method_signature property_signature method_declaration type_spec type_alias const_spec"
    " var_spec function_item struct_item enum_item union_item trait_item impl_item mod_item const_item static_item"
    " type_item macro_definition function_signature_item associated_type record_declaration"
    " annotation_type_declaration constructor_declaration struct_specifier class_specifier enum_specifier"
    " union_specifier namespace_definition type_definition preproc_def preproc_function_def declaration"
    " field_declaration assignment".split()
)
_WITH_BODY = frozenset("struct_specifier class_specifier enum_specifier union_specifier".split())
_FUNCTIONS = frozenset(
    "function_definition function_declaration generator_function_declaration method_definition method_declaration"
    " function_item constructor_declaration arrow_function function_expression lambda closure_expression".split()
)
"""Inside of these only definitions of functions and classes count: their variables come and go."""
_INNER = frozenset("function_definition class_definition function_declaration class_declaration function_item".split())
_WRAPPERS = frozenset("decorated_definition template_declaration export_statement".split())
_NOT_COUNTED = frozenset(", ; ( ) [ ] { } : \n".split(" ")) | {"\n", ""}
_TUPLES = frozenset("tuple expression_list pattern_list tuple_pattern".split())
_UNWRAPPED = frozenset({"parenthesized_expression"})
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*")


class Definition(NamedTuple):
    """A definition: its qualified name, its lines from 1, and the hash of its structure."""

    name: str
    first: int
    last: int
    structure: str


def is_code(path: str) -> bool:
    """Is there a grammar for files of that name?"""
    return _suffix(path) in _SUFFIXES


def find(path: str, data: bytes, name: str) -> Definition | None:
    """The definition with that name: in full, or its end if only one ends so. Several of one name (overloads) are one.

    MissingExtraError if the grammar is not installed.
    """
    wanted, places = name.replace("::", ".").strip("."), _places(path, data)
    chosen = [p for p in places if p[0] == wanted]
    if not chosen:
        ending = [p for p in places if p[0].endswith(f".{wanted}")]
        chosen = ending if len({p[0] for p in ending}) == 1 else []
    if not chosen:
        return None
    nodes = [node for _, node in chosen]
    first, last = nodes[0].start_point[0] + 1, max(_last_line(n) for n in nodes)
    return Definition(chosen[0][0], first, last, _hash(nodes))


def names(path: str, data: bytes) -> list[str]:
    """The names of all definitions of a file, in its order."""
    return list(dict.fromkeys(name for name, _ in _places(path, data)))


def _last_line(node: Any) -> int:
    row, column = node.end_point
    return int(row) + (1 if column else 0)


def _suffix(path: str) -> str:
    return path.rsplit("/", 1)[-1].rpartition(".")[2].lower()


@cache
def _parser(language: str) -> Any:
    module, function = _GRAMMARS[language]
    try:
        import tree_sitter

        grammar = import_module(module)
    except ImportError as error:
        hint = "pip install 'muniment[code]'"
        raise MissingExtraError(f"the grammar of {language} is not installed", hint=hint, about=module) from error
    return tree_sitter.Parser(tree_sitter.Language(getattr(grammar, function)()))


def _places(path: str, data: bytes) -> list[tuple[str, Any]]:
    language = _SUFFIXES.get(_suffix(path))
    if language is None:
        return []
    tree = _parser(language).parse(data)
    return list(_walk(tree.root_node, "", within=False))


def _walk(node: Any, scope: str, *, within: bool) -> Iterator[tuple[str, Any]]:
    """(qualified name, node) of every definition below a node."""
    for child in node.named_children:
        kind = child.type
        own = _name(child) if kind in (_INNER if within else _NAMED) else ""
        inside = within or kind in _FUNCTIONS
        if not own:
            yield from _walk(child, scope, within=inside)
            continue
        if kind == "variable_declarator" and scope.endswith(own) and node.type == "field_declaration":
            continue
        full = f"{scope}.{own}" if scope else own
        if kind != "impl_item" and kind not in ("namespace_definition", "internal_module", "module", "mod_item"):
            yield full, child.parent if child.parent is not None and child.parent.type in _WRAPPERS else child
        elif kind == "mod_item":
            yield full, child
        yield from _walk(child, full, within=inside)


def _name(node: Any) -> str:
    kind = node.type
    if kind in _WITH_BODY and node.child_by_field_name("body") is None:
        return ""
    if kind == "impl_item":
        return _text(node.child_by_field_name("type")).split("<", 1)[0]
    if kind == "assignment":
        return _of_assignment(node)
    if kind == "method_declaration" and (receiver := node.child_by_field_name("receiver")) is not None:
        words = re.findall(r"[A-Za-z_]\w*", _text(receiver).split("[", 1)[0])
        return ".".join([*words[-1:], _text(node.child_by_field_name("name"))])
    found = node.child_by_field_name("name") or node.child_by_field_name("property")
    return _plain(found) if found is not None else _declared(node)


def _of_assignment(node: Any) -> str:
    """A name that a module or a class gives; not what a function does with its variables."""
    left, statement = node.child_by_field_name("left"), node.parent
    is_named = left is not None and left.type == "identifier" and statement is not None
    return _text(left) if is_named and statement.type == "expression_statement" else ""


def _declared(node: Any) -> str:
    """The name inside of a declarator, as C has it."""
    found = node.child_by_field_name("declarator")
    while found is not None:
        inner = found.child_by_field_name("declarator") or found.child_by_field_name("name")
        if found.type == "qualified_identifier":
            return _plain(found)
        if inner is None:
            inner = next((c for c in found.named_children if "declarator" in c.type), None)
        if inner is None:
            break
        found = inner
    return _plain(found) if found is not None and not found.named_children else ""


def _plain(node: Any) -> str:
    return re.sub(r"<[^<>]*>", "", _text(node)).replace("::", ".").strip("'\"").replace(" ", "")


def _text(node: Any) -> str:
    return node.text.decode("utf-8", "replace") if node is not None else ""


# --- structure


def _hash(nodes: Sequence[Any]) -> str:
    return hash128(SCHEME, *(token for node in nodes for token in _before(node)), *_all(nodes)).hex()


def _before(node: Any) -> Iterator[str]:
    """What a language says of a definition in front of it."""
    found = node.prev_named_sibling
    while found is not None and (found.type == "attribute_item" or "comment" in found.type):
        if found.type == "attribute_item":
            yield from _tokens(found)
        found = found.prev_named_sibling


def _all(nodes: Sequence[Any]) -> Iterator[str]:
    for node in nodes:
        yield from _tokens(node)


def _tokens(node: Any) -> Iterator[str]:
    """The structure as a list of words: kinds, and what leaves say; without what formatters change."""
    kind = node.type
    if "comment" in kind or kind == "line_continuation" or _is_docstring(node) or _is_empty_base(node):
        return
    if node.child_count == 0:
        yield from _leaf(node, kind)
    elif kind in ("string", "string_literal", "interpreted_string_literal", "concatenated_string"):
        yield from _string(node)
    elif (only := _only(node)) is not None:
        yield from _tokens(only)
    elif kind == "modifiers":
        yield from sorted(_text(child) for child in node.children)
    else:
        yield f"({'tuple' if kind in _TUPLES else kind}"
        for child in node.children:
            yield from _tokens(child)
        yield ")"


def _leaf(node: Any, kind: str) -> Iterator[str]:
    text = _text(node)
    if not node.is_named:
        if kind not in _NOT_COUNTED:
            yield text
    elif kind in ("integer", "float", "number"):
        yield text.lower()
    elif kind in ("property_identifier", "string"):
        yield f"name {text}"
    elif kind != "empty_statement":
        yield f"{kind} {text}"


def _string(node: Any) -> Iterator[str]:
    """What a string says: which quotes it stands in, and over how many pieces it is spread, does not count."""
    parts = (
        [c for c in node.named_children if "comment" not in c.type] if node.type == "concatenated_string" else [node]
    )
    holds = any(c.type in ("interpolation", "template_substitution") for p in parts for c in p.children)
    if holds:
        for part in parts:
            yield from _pieces(part)
        return
    texts = [_text(part) for part in parts]
    said = [_unquoted(text) for text in texts]
    if len({prefix for prefix, _ in said}) == 1:
        prefix, whole = said[0][0], "".join(words for _, words in said)
        is_key = node.parent is not None and node.parent.type == "pair" and _IDENTIFIER.fullmatch(whole)
        is_key = is_key and node.parent.child_by_field_name("key") == node
        yield f"name {whole}" if is_key else f"string {prefix} {whole}"
    else:
        yield from (f"string {prefix} {words}" for prefix, words in said)


def _pieces(node: Any) -> Iterator[str]:
    yield f"string {_unquoted(_text(node))[0]}"
    for child in node.children:
        if child.type in ("string_start", "string_end") or child.type in "\"'`":
            continue
        yield from _tokens(child)


def _unquoted(text: str) -> tuple[str, str]:
    """(prefix, content); escaped quotes are quotes."""
    found = re.match(r"([A-Za-z0-9]*#*)(\"\"\"|'''|\"|'|`)", text)
    if found is None:
        return "", text
    body = text[found.end() : len(text) - len(found[2])]
    prefix = "".join(sorted(found[1].lower())).replace("u", "")
    return prefix, body if "r" in prefix else re.sub(r"\\(['\"])", r"\1", body)


def _only(node: Any) -> Any:
    """The one thing inside of brackets that say nothing by themselves."""
    named = [c for c in node.named_children if "comment" not in c.type]
    if len(named) != 1:
        return None
    parent = node.parent.type if node.parent is not None else ""
    if node.type in _UNWRAPPED:
        return named[0]
    if node.type == "formal_parameters" and parent == "arrow_function":
        bare = named[0].named_children if named[0].type == "required_parameter" else [named[0]]
        return bare[0] if len(bare) == 1 and bare[0].type == "identifier" else None
    is_bare_block = node.type == "block" and parent in ("match_arm", "closure_expression")
    return named[0] if is_bare_block and not named[0].type.endswith(("statement", "declaration", "item")) else None


def _is_docstring(node: Any) -> bool:
    """A string that a module, class or function of Python begins with."""
    if node.type != "expression_statement" or node.parent is None or node.parent.type not in ("block", "module"):
        return False
    named = [c for c in node.named_children if "comment" not in c.type]
    is_text = len(named) == 1 and named[0].type in ("string", "concatenated_string")
    before = node.prev_named_sibling
    while before is not None and "comment" in before.type:
        before = before.prev_named_sibling
    return is_text and before is None


def _is_empty_base(node: Any) -> bool:
    """The brackets of `class A():`."""
    is_base = node.type == "argument_list" and node.parent is not None and node.parent.type == "class_definition"
    return is_base and not node.named_children
