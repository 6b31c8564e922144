"""What functions that take settings by name tell about themselves while a program runs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any, TypeVar

from likewise.settings import Settings

Function = TypeVar("Function", bound=Callable[..., Any])


def names_settings(function: Function) -> Function:
    """The function itself; `help` and notebooks list its settings as the type checker does.

    >>> @names_settings
    ... def f(source: str, *, threshold: float = 0.8, **changes: bool) -> None: ...
    >>> list(inspect.signature(f).parameters)[:3], "stem" in inspect.signature(f).parameters
    (['source', 'threshold', 'languages'], True)
    """
    signature = inspect.signature(function)
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    usual = Settings()
    more = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=getattr(usual, field.name),
            annotation=field.type,
        )
        for field in fields(Settings)
        if field.name not in signature.parameters
    ]
    function.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
    return function
