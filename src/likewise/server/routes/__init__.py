"""One file for each kind of thing that the API speaks of."""

from likewise.server import health_routes as health
from likewise.server import metrics_routes as metrics
from likewise.server import settings_routes as settings
from likewise.server.checks import decision_routes as decided
from likewise.server.checks import routes as checks
from likewise.server.classes import routes as batches
from likewise.server.collections import routes as collections
from likewise.server.documents import routes as documents
from likewise.server.erasures import routes as erasures
from likewise.server.jobs import routes as jobs
from likewise.server.people import api_key_routes as api_keys
from likewise.server.people import audit_routes as audit
from likewise.server.people import me
from likewise.server.people import password_reset_routes as password_resets
from likewise.server.people import token_routes as token
from likewise.server.people import user_routes as users
from likewise.server.routes import document_types, web
from likewise.server.similar import routes as similar
from likewise.server.stop_words import routes as stop_words

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
