"""Every error of muniment, in one place.

    MunimentError
    ├── UsageError            the caller's words do not make sense          exit 2
    ├── NotFoundError         nothing has that name                         exit 3
    ├── NothingChangedError   a write, correction or import had no effect   exit 3
    ├── RefusedError          the gate or a rule refused a write            exit 5
    ├── ConflictError         something else already holds that place       exit 5
    ├── ScopeError            outside the caller's workspace or rights      exit 6
    │   └── QueryRefusedError     a query of scoped SQL, whatever was wrong exit 6
    ├── BusyError             somebody else holds the store                 exit 7
    ├── StoreError            the store cannot be used
    │   ├── EncryptedStoreError   it needs a key, or has none               exit 6
    │   │   └── WrongKeyError         the key does not open it              exit 6
    │   ├── DamagedStoreError     its bytes are not a sound database        exit 1
    │   ├── ReadOnlyStoreError    it cannot be written                      exit 7
    │   ├── FullDiskError         no room to write                          exit 7
    │   ├── NewerStoreError       a newer program wrote it                  exit 1
    │   └── ShapeError            its tables are not what its record says   exit 1
    ├── ReceiptError          a receipt does not open or does not verify    exit 1
    ├── MissingExtraError     an optional package is not installed          exit 1
    ├── EndpointError         a server that was named does not do its part  exit 7
    └── RequestError          a request that HTTP lets no further           exit 2

Codes are stable: programs may match on them. A message says what and where, the hint says what to do.
"""

from __future__ import annotations


class MunimentError(Exception):
    """Root of the tree: a stable `code`, a sentence, what to do (`hint`) and what it is `about` (an id, path or place)."""

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", about: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.about = about

    def as_dict(self) -> dict[str, str]:
        """The error as `--json` prints it."""
        return {"code": self.code, "message": self.message, "hint": self.hint, "about": self.about}


class UsageError(MunimentError):
    """The words of the call do not make sense."""

    code = "usage"
    exit_code = 2


class NotFoundError(MunimentError):
    """Nothing in this scope has that id, receipt or name."""

    code = "not_found"
    exit_code = 3


class NothingChangedError(MunimentError):
    """A write, correction or import that would have had no effect."""

    code = "nothing_changed"
    exit_code = 3


class RefusedError(MunimentError):
    """The gate, or the rule that a person outranks an agent, refused the write."""

    code = "refused"
    exit_code = 5


class ConflictError(MunimentError):
    """Something else already stands in that place."""

    code = "conflict"
    exit_code = 5


class ScopeError(MunimentError):
    """Outside the caller's workspace or rights."""

    code = "scope"
    exit_code = 6


class QueryRefusedError(ScopeError):
    """Scoped SQL refused a query. It is the same error whatever was wrong, so that nothing can be read off it."""

    code = "query_refused"


class BusyError(MunimentError):
    """Another process holds the store; nothing was written."""

    code = "busy"
    exit_code = 7


class StoreError(MunimentError):
    """The store cannot be used as it is; its bytes were left alone."""

    code = "store"


class EncryptedStoreError(StoreError):
    """The store is encrypted and there is no key, or a key is set for one that is not encrypted."""

    code = "encrypted"
    exit_code = 6


class WrongKeyError(EncryptedStoreError):
    """The key does not open the store."""

    code = "wrong_key"


class DamagedStoreError(StoreError):
    """The file is not a sound database of ours."""

    code = "damaged"


class ReadOnlyStoreError(StoreError):
    """The store can be read but not written."""

    code = "read_only"
    exit_code = 7


class FullDiskError(StoreError):
    """No room is left where the store lives."""

    code = "disk_full"
    exit_code = 7


class NewerStoreError(StoreError):
    """A newer muniment wrote this store."""

    code = "newer_store"


class ShapeError(StoreError):
    """The tables differ from what the store's own record says."""

    code = "shape"


class ReceiptError(MunimentError):
    """A receipt does not open, or what it opens does not verify."""

    code = "receipt"


class MissingExtraError(MunimentError):
    """What was asked for needs an optional package; the hint names it."""

    code = "missing_extra"


class EndpointError(MunimentError):
    """A server that the configuration names does not answer, or not as agreed."""

    code = "endpoint"
    exit_code = 7


class RequestError(MunimentError):
    """A request that was refused before any verb was asked; its own code says why (docs/reference/http.md lists them)."""

    code = "request"
    exit_code = 2

    def __init__(self, code: str, message: str, *, hint: str = "", about: str = "") -> None:
        super().__init__(message, hint=hint, about=about)
        self.code = code
