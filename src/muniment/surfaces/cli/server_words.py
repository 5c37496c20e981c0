"""The words of the commands about stores elsewhere: copying to and from a server, and its tenants."""

from __future__ import annotations

from argparse import ArgumentParser


def copy(p: ArgumentParser) -> None:
    """`copy`: from here to there, or back."""
    group = p.add_mutually_exclusive_group(required=True)
    told = "a server, postgresql://ROLE@HOST/DATABASE: this folder's memory goes there"
    group.add_argument("--to", metavar="URL", help=told)
    group.add_argument("--from", dest="origin", metavar="URL", help="the other way: into the file on this machine")


def server(p: ArgumentParser) -> None:
    """`server`: tenants and tables of a database, keys of the HTTP server."""
    told = "tenant (of a PostgreSQL server), schema (print its tables' SQL), or key (what opens a store by HTTP)"
    p.add_argument("what", choices=("tenant", "schema", "key"), metavar="WHAT", help=told)
    p.add_argument("action", nargs="?", choices=("add", "list", "remove"), metavar="ACTION", help="add, list or remove")
    told = "tenant: the login role, of lower-case letters, digits and _; key: its name"
    p.add_argument("name", nargs="?", metavar="NAME", help=told)
    _tenant(p)
    _key(p)


def _tenant(p: ArgumentParser) -> None:
    told = "tenant: the database, through a role that may make roles (default: the variable MUNIMENT_SERVER)"
    p.add_argument("--url", metavar="URL", help=told)
    p.add_argument("--of", metavar="TENANT", help="tenant add: a further role (an agent's) of a tenant that is there")
    p.add_argument("--password-file", metavar="FILE", help="tenant add: the role's password stands in the first line")
    p.add_argument("--erase", action="store_true", help="tenant remove: its rows too, if no other role is left of it")
    p.add_argument("--partitions", type=int, metavar="N", help="schema: parts of each large table (1: none)")


def _key(p: ArgumentParser) -> None:
    told = "key add: whose words it brings: agent (default), person, or import"
    p.add_argument("--speaks", choices=("agent", "person", "import"), default="agent", help=told)
    told = "key add: read, write (default), or own (also what reads and writes files on the server's machine)"
    p.add_argument("--right", choices=("read", "write", "own"), default="write", help=told)
    told = "key add: the home of the tenant whose store it opens (default: this home)"
    p.add_argument("--tenant", metavar="DIR", help=told)
