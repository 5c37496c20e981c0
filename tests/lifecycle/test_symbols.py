"""Definitions by their structure: what formatters and comments change does not count, what a program does does."""

from __future__ import annotations

import pytest

from muniment.lifecycle.symbols import find, is_code, names

CASES = {
    "a.py": (
        "f",
        "def f(a, b=(1, 2)):\n    for (x, y) in b:\n        print('a' \"b\", 0XFF)\n    return (a)\n",
        (
            'def f(\n    a,\n    b=(1, 2),\n):\n    """Says it."""\n'
            '    for x, y in b:  # why\n        print("ab", 0xff)\n    return a\n'
        ),
        "def f(a, b=(1, 2)):\n    for (x, y) in b:\n        print('a' \"b\", 0XFE)\n    return (a)\n",
    ),
    "a.js": (
        "f",
        "const f = x => { return g(x, {'a': 'it\\'s'}) }\n",
        'const f = (x) => {\n  // why\n  return g(x, { a: "it\'s" });\n};\n',
        "const f = x => { return g(x, {'a': 'its'}) }\n",
    ),
    "a.ts": (
        "K.m",
        "class K { m(a: number): number { return a+1 } }\n",
        "class K {\n  /** why */\n  m(a: number): number {\n    return a + 1;\n  }\n}\n",
        "class K { m(a: number): number { return a+2 } }\n",
    ),
    "a.go": (
        "T.Get",
        "package a\nfunc (t *T) Get(a int) int { return a+1 }\n",
        "package a\n\nfunc (t *T) Get(a int) int {\n\t// why\n\treturn a + 1\n}\n",
        "package a\nfunc (t *T) Get(a int) int { return a-1 }\n",
    ),
    "a.rs": (
        "S.get",
        "impl S { fn get(&self, a: u8) -> u8 { match a { 0 => { f() } _ => a } } }\n",
        (
            "impl S {\n    fn get(&self, a: u8) -> u8 {\n        // why\n        match a {\n            0 => f(),\n"
            "            _ => a,\n        }\n    }\n}\n"
        ),
        "impl S { fn get(&self, a: u8) -> u8 { match a { 1 => { f() } _ => a } } }\n",
    ),
    "A.java": (
        "A.get",
        "class A { final static int get(int a) { return a+1; } }\n",
        "class A {\n  /* why */\n  static final int get(int a) {\n    return a + 1;\n  }\n}\n",
        "class A { final static int get(int a) { return a+2; } }\n",
    ),
    "a.c": (
        "get",
        "static int *get(int a) { return p+a; }\n",
        "static int *get(int a)\n{\n    /* why */\n    return p + a;\n}\n",
        "static int *get(int a) { return p-a; }\n",
    ),
    "a.cpp": (
        "n.V.get",
        "namespace n { class V { public: int get(int a) const { return a; } }; }\n",
        "namespace n {\nclass V {\n public:\n  int get(int a) const {  // why\n    return a;\n  }\n};\n}\n",
        "namespace n { class V { public: int get(int a) { return a; } }; }\n",
    ),
}


@pytest.mark.parametrize("path", CASES)
def test_how_it_is_written_does_not_count_and_what_it_does_does(path):
    name, plain, formatted, other = CASES[path]
    one, same, different = (find(path, text.encode(), name) for text in (plain, formatted, other))
    assert one is not None
    assert same is not None
    assert different is not None
    assert one.structure == same.structure
    assert one.structure != different.structure


def test_a_symbol_is_found_by_its_end_where_only_one_ends_so():
    text = b"class A:\n    def run(self): pass\nclass B:\n    def stop(self): pass\n    def run(self): pass\n"
    assert find("a.py", text, "stop").name == "B.stop"
    assert find("a.py", text, "run") is None
    assert find("a.py", text, "A::run").first == 2


def test_decorators_and_attributes_belong_to_a_definition():
    assert find("a.py", b"@cache\ndef f(): pass\n", "f").structure != find("a.py", b"def f(): pass\n", "f").structure
    with_, without = b"#[inline]\nfn f() {}\n", b"fn f() {}\n"
    assert find("a.rs", with_, "f").structure != find("a.rs", without, "f").structure


def test_overloads_of_one_name_are_one():
    both = b"class A { int f(int a) { return 1; } int f(String a) { return 2; } }"
    other = b"class A { int f(int a) { return 1; } int f(String a) { return 3; } }"
    assert find("A.java", both, "A.f").structure != find("A.java", other, "A.f").structure


def test_all_names_of_a_file_are_told_in_its_order():
    assert names("a.py", b"X = 1\ndef f():\n    y = 2\n    def g(): pass\nclass C:\n    z = 1\n") == [
        "X", "f", "f.g", "C", "C.z",
    ]  # fmt: skip


def test_files_without_a_grammar_have_no_symbols():
    assert not is_code("notes.md")
    assert is_code("x/y.tsx")
    assert find("notes.md", b"# f", "f") is None


def test_code_that_does_not_parse_is_read_as_far_as_it_goes():
    assert find("a.py", b"def f(:\n  retur (\ndef g(): return 1\n", "nothing") is None
