"""Calls of GraphQL, for what REST does not have."""

from __future__ import annotations

import re
from typing import Any, Mapping

from .errors import problem_error
from .transport import Transport, new_key


def graphql(transport: Transport, query: str, variables: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """
    The data of a query or mutation.

    :raises ProblemError: with the first problem when there is any
    """
    body = {"query": query, "variables": dict(variables or {})}
    # The header has no meaning to GraphQL: a query is one that may be sent again.
    key = None if re.search(r"^\s*mutation\b", query, re.MULTILINE) else new_key()
    answer = transport.call("POST", "/graphql", body=body, idempotency_key=key)
    errors = answer.get("errors")
    if errors:
        first = errors[0]
        extensions = first.get("extensions", {})
        problem = {"code": "INTERNAL", **extensions, "detail": first["message"]}
        raise problem_error(extensions.get("status", 500), problem)
    return answer["data"]
