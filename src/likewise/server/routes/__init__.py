"""One file for each kind of thing that the API speaks of."""

from likewise.server.routes import (
    api_keys,
    audit,
    batches,
    checks,
    collections,
    decided,
    document_types,
    documents,
    erasures,
    health,
    jobs,
    me,
    metrics,
    password_resets,
    settings,
    similar,
    stop_words,
    token,
    users,
    web,
)

ROUTERS = (
    token.router,
    me.router,
    password_resets.router,
    users.router,
    api_keys.router,
    audit.router,
    documents.router,
    erasures.router,
    collections.router,
    document_types.router,
    stop_words.router,
    settings.router,
    jobs.router,
    checks.router,
    decided.router,
    batches.router,
    similar.router,
    web.router,
    health.router,
    metrics.router,
)

__all__ = ["ROUTERS"]
