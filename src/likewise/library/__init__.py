"""A persistent collection of documents: schema, store, index, add, check."""

from likewise.library.add import Added
from likewise.library.backup import back_up, report_restore, restore
from likewise.library.batch import Batch, batch_view, check_batch
from likewise.library.candidates import Candidate, Candidates
from likewise.library.common_text import CommonRun
from likewise.library.copying import Copied, copy_library
from likewise.library.encryption import make_key, read_key
from likewise.library.entries import Entry, Listing, Reference
from likewise.library.erase import Preview, preview_erasure, run_erasure
from likewise.library.erasure import EraseRequest, Receipt
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.filters import Filters
from likewise.library.library import Library
from likewise.library.lookup import itself_in, measure_candidates, named_documents, told_of_itself
from likewise.library.metadata import Metadata, read_metadata_table
from likewise.library.partners import (
    PartnerLibrary,
    export_fingerprints,
    open_fingerprints,
    with_partners,
)
from likewise.library.remove import Removed
from likewise.library.restore_accounts import RestoreReport
from likewise.library.stats import Stats
from likewise.library.store import upgrade, version_at
from likewise.library.tables import LikeTable

__all__ = [
    "Added",
    "Batch",
    "Candidate",
    "Candidates",
    "CommonRun",
    "Copied",
    "Entry",
    "EraseRequest",
    "Filters",
    "Library",
    "LibraryError",
    "LikeTable",
    "Listing",
    "Metadata",
    "PartnerLibrary",
    "Preview",
    "Receipt",
    "Reference",
    "Removed",
    "RestoreReport",
    "Stats",
    "WrongRecipe",
    "back_up",
    "batch_view",
    "check_batch",
    "copy_library",
    "export_fingerprints",
    "itself_in",
    "make_key",
    "measure_candidates",
    "named_documents",
    "open_fingerprints",
    "preview_erasure",
    "read_key",
    "read_metadata_table",
    "report_restore",
    "restore",
    "run_erasure",
    "told_of_itself",
    "upgrade",
    "version_at",
    "with_partners",
]
