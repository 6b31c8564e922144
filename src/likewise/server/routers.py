"""The routes of the API, by the package whose noun an address begins with."""

from likewise.server import (
    document_types,
    health,
    library_checks,
    metrics,
    readiness,
    recipe,
)
from likewise.server import settings_routes as settings
from likewise.server.assignments import routes as assignments
from likewise.server.certificates import routes as certificates
from likewise.server.checks import routes as checks
from likewise.server.classes import routes as batches
from likewise.server.collections import routes as collections
from likewise.server.courses import routes as courses
from likewise.server.documents import routes as documents
from likewise.server.duplicates import routes as duplicates
from likewise.server.erasures import routes as erasures
from likewise.server.jobs import routes as jobs
from likewise.server.links import routes as links
from likewise.server.links import shared_routes
from likewise.server.login_providers import routes as login_providers
from likewise.server.people import (
    login_routes,
    mail_routes,
    own_account_routes,
    second_factor_routes,
    user_routes,
)
from likewise.server.privacy import routes as privacy
from likewise.server.providers import routes as providers
from likewise.server.self_checks import routes as self_checks
from likewise.server.similar import routes as similar
from likewise.server.stop_words import routes as stop_words
from likewise.server.submissions import routes as submissions

ROUTERS = (
    login_routes.token_router,
    login_providers.login_router,
    own_account_routes.me_router,
    second_factor_routes.router,
    login_routes.reset_router,
    user_routes.user_router,
    own_account_routes.key_router,
    user_routes.audit_router,
    mail_routes.mail_router,
    privacy.router,
    documents.router,
    library_checks.router,
    duplicates.router,
    erasures.router,
    collections.router,
    document_types.router,
    stop_words.router,
    recipe.router,
    settings.router,
    providers.router,
    login_providers.router,
    jobs.router,
    checks.router,
    certificates.router,
    batches.router,
    courses.router,
    assignments.router,
    submissions.router,
    self_checks.router,
    links.router,
    shared_routes.router,
    similar.router,
    checks.web_router,
    health.router,
    readiness.router,
    metrics.router,
)

__all__ = ["ROUTERS"]
