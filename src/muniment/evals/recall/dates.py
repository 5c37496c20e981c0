"""The ways in which data sets write dates, as ISO 8601. They name no zone, so neither does what comes out."""

from __future__ import annotations

import re

_MONTHS = "january february march april may june july august september october november december".split()
_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) ?(?P<half>am|pm)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_CLOCK} on (?P<day>\d{{1,2}}) (?P<name>[a-z]+),? (?P<year>\d{{4}})",  # 1:56 pm on 8 May, 2023
        rf"(?P<year>\d{{4}})[/-](?P<month>\d{{1,2}})[/-](?P<day>\d{{1,2}})(?: \([a-z]+\))?(?:[ T]{_CLOCK}.*)?",
        r"(?P<name>[a-z]+)[- ](?P<day>\d{1,2}),?[- ](?P<year>\d{4})",  # March-15-2024
    )
)


def iso(written: object) -> str | None:
    """`2023-05-08T13:56`, or the day alone where no time is told; None where there is no date."""
    text = str(written or "").strip()
    found = next((match.groupdict() for form in _FORMS if (match := form.fullmatch(text))), None)
    month = _month(found) if found else None
    if found is None or month is None:
        return None
    day = f"{found['year']}-{month:02}-{int(found['day']):02}"
    if not found.get("hour"):
        return day
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"].lower() == "pm")
    return f"{day}T{hour:02}:{found['minute']}"


def _month(found: dict[str, str | None]) -> int | None:
    if found.get("month"):
        return int(found["month"] or 0)
    name = (found.get("name") or "").lower()
    return next((n for n, month in enumerate(_MONTHS, 1) if len(name) >= 3 and month.startswith(name)), None)
