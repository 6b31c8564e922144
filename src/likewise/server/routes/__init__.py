"""One file for each kind of thing that the API speaks of."""

from likewise.server import health, metrics
from likewise.server import settings_routes as settings
from likewise.server.checks import decision_routes as decided
from likewise.server.checks import routes as checks
from likewise.server.classes import routes as batches
from likewise.server.collections import routes as collections
from likewise.server.documents import routes as documents
from likewise.server.erasures import routes as erasures
from likewise.server.jobs import routes as jobs
from likewise.server.people import login_routes, own_account_routes, user_routes
from likewise.server.routes import document_types, web
from likewise.server.similar import routes as similar
from likewise.server.stop_words import routes as stop_words

ROUTERS = (
    login_routes.token_router,
    own_account_routes.me_router,
    login_routes.reset_router,
    user_routes.user_router,
    own_account_routes.key_router,
    user_routes.audit_router,
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
