"""The server as a host of tables in a library: registered where this module is imported.

Whatever makes, copies, restores or erases from a library imports it, with a server or without:
nothing here may need FastAPI.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

from sqlalchemy import Connection, select

from likewise.library.erasure import HandedIn, Receipt, Target, Transactions
from likewise.library.registry import HostTables, Record, register
from likewise.progress import Progress
from likewise.server.database import (
    erase_accounts,
    erase_campus,
    erase_certificates,
    erase_jobs,
    erase_results,
    restore_accounts,
    restore_certificates,
    restore_links,
)
from likewise.server.database.tables import TABLES, collections


class ServerTables(HostTables):
    """People, sessions, jobs, checks and classes."""

    name = "server"
    tables = TABLES
    references: ClassVar = {"erasures.user_id": "users.id"}
    is_part_of_schema = True
    count_keys: ClassVar = {
        "checks_deleted": "library.erased_checks_deleted",
        "checks_blackened": "library.erased_checks_blackened",
        "sources_blackened": "library.erased_sources_blackened",
        "passages_blackened": "library.erased_passages_blackened",
        "batches_deleted": "library.erased_batches_deleted",
        "batches_blackened": "library.erased_batches_blackened",
        "uploads": "library.erased_uploads",
        "jobs": "library.erased_jobs",
        "requests": "library.erased_requests",
        "audit": "library.erased_audit",
        "accounts": "library.erased_accounts",
        "sessions": "library.erased_sessions",
        "api_keys": "library.erased_api_keys",
        "collections": "library.erased_collections",
        "comments": "library.erased_comments",
        "certificates": "library.erased_certificates",
        "submissions": "library.erased_submissions",
        "self_checks": "library.erased_self_checks",
        "links": "library.erased_links",
        "decisions": "library.erased_decisions",
        "mail": "library.erased_mail",
    }
    staying_keys: ClassVar = {
        "audit": "library.stays_audit",
        "certificates": "library.stays_certificates",
        "comments": "library.stays_comments",
        "decisions": "library.stays_decisions",
        "links": "library.stays_links",
    }
    unreached_keys: ClassVar = {
        # Uploads whose members nobody has looked at yet.
        "waiting archives": "library.unreached_waiting_archives",
        # Kept by a newer version, or damaged.
        "unreadable results": "library.unreached_unreadable_results",
        # That did not end while the erasure waited.
        "running jobs": "library.unreached_running_jobs",
    }

    def migrate(self, revision: str) -> None:
        from likewise.server.database import migrations  # and with it alembic

        migrations.migrate(revision)

    def has_collection(self, connection: Connection, collection: str) -> bool:
        query = select(collections.c.id).where(collections.c.id == collection)
        return connection.execute(query).first() is not None

    def ensure_erasable(self, connection: Connection, account: str, by: str | None) -> None:
        erase_accounts.ensure_erasable(connection, account, by)

    def find_accounts(self, connection: Connection, receipts: Sequence[Receipt]) -> list[str]:
        return erase_accounts.accounts_again(connection, receipts)

    def find_documents(self, connection: Connection, account: str) -> list[int]:
        return erase_accounts.documents_of_account(connection, account)

    def find_people(self, connection: Connection, is_meant: Callable[[str], bool]) -> set[str]:
        return erase_campus.find_people(connection, is_meant)

    def find_handed_in(
        self, connection: Connection, accounts: Sequence[str], people: Collection[str]
    ) -> HandedIn:
        return erase_campus.find_handed_in(connection, accounts, people)

    def learn_hashes(self, store: Transactions, target: Target) -> frozenset[str]:
        return erase_results.learn_hashes(store, target)

    def count_rows(
        self, connection: Connection, target: Target, accounts: Sequence[str]
    ) -> dict[str, int]:
        uploads = len(erase_jobs.unwanted_uploads(connection, target))
        return _sum(
            {"uploads": uploads},
            erase_campus.count_people(connection, target.people),
            *(erase_accounts.count_account(connection, account) for account in accounts),
        )

    def erase_rows(
        self,
        connection: Connection,
        target: Target,
        accounts: Sequence[str],
        *,
        receipt_id: str | None = None,
        heir: str | None = None,
        task: str | None = None,
    ) -> dict[str, int]:
        counts = _sum(
            erase_jobs.erase_from_jobs(connection, target, task),
            erase_jobs.erase_people_from_records(connection, sorted(target.people)),
            erase_campus.erase_people(connection, target.people),
            *(
                erase_accounts.erase_account(connection, account, heir=heir, own=task)
                for account in accounts
            ),
        )
        if task is not None and receipt_id is not None:
            erase_jobs.point_job_to_receipt(connection, task, receipt_id)
        return counts

    def erase_results(
        self,
        store: Transactions,
        target: Target,
        progress: Progress | None = None,
        *,
        dry_run: bool = False,
        record: Record | None = None,
    ) -> tuple[dict[str, int], dict[str, int]]:
        counts, unreadable = erase_results.erase_from_results(
            store, target, progress, dry_run=dry_run, record=record
        )
        # After the checks: nobody can issue another from what is gone by now.
        with store.reading() if dry_run else store.beside() as connection:
            changed = erase_certificates.erase_from_certificates(
                connection, target, dry_run=dry_run
            )
            if changed and record and not dry_run:
                record(connection, {"certificates": changed})
        if changed:
            counts["certificates"] = changed
        return counts, {"unreadable results": unreadable}

    def wait_for_tasks(
        self, store: Transactions, own: str | None, progress: Progress, most_seconds: float
    ) -> tuple[bool, dict[str, int]]:
        has_waited, running = erase_jobs.wait_for_jobs(store, own, progress, most_seconds)
        return has_waited, {"running jobs": running} if running else {}

    def count_unreached(self, connection: Connection) -> dict[str, int]:
        return {"waiting archives": erase_jobs.count_waiting_archives(connection)}

    def read_before_restore(self, connection: Connection, backup: Connection) -> Any:
        return (
            restore_accounts.read_present(connection, backup),
            restore_certificates.read_present(connection),
            restore_links.read_present(connection),
        )

    def settle_restore(self, connection: Connection, before: Any) -> None:
        accounts, certificates, present_links = before if before is not None else (None, (), None)
        restore_accounts.settle_accounts(connection, accounts)
        restore_certificates.settle_certificates(connection, certificates)
        restore_links.settle_links(connection, present_links)


def _sum(*several: dict[str, int]) -> dict[str, int]:
    total: dict[str, int] = {}
    for counts in several:
        for kind, number in counts.items():
            total[kind] = total.get(kind, 0) + number
    return total


register(ServerTables())
