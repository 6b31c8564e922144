"""A persistent collection of documents: schema, store, index, add, check."""

from likewise.library.add import AddResult
from likewise.library.backup import back_up, restore
from likewise.library.batch import Batch, BatchSoFar, PageSearch, batch_view, check_batch
from likewise.library.candidates import Candidate, Candidates, CommonRun
from likewise.library.copying import Copied, copy_library
from likewise.library.duplicates import DuplicatePair, Duplicates
from likewise.library.encryption import make_key, read_key
from likewise.library.entries import Entry, Listing, Reference
from likewise.library.erase import Preview, preview_erasure, run_erasure
from likewise.library.erasure import EraseRequest, Receipt
from likewise.library.errors import LibraryError, WrongRecipe
from likewise.library.filters import Filters
from likewise.library.library import Library
from likewise.library.lookup import (
    find_own_file,
    note_own_file,
    own_file_note,
    resolve_documents,
)
from likewise.library.metadata import Metadata, read_metadata_table
from likewise.library.partners import (
    PartnerLibrary,
    export_fingerprints,
    open_fingerprints,
    with_partners,
)
from likewise.library.rebuild import Stats
from likewise.library.recipes import RecipeChanges, change_settings, shortest_run
from likewise.library.remove import RemoveResult
from likewise.library.similar import SimilarDocument, SimilarDocuments
from likewise.library.store import upgrade, version_at
from likewise.library.tables import LikeTable

__all__ = [
    "AddResult",
    "Batch",
    "BatchSoFar",
    "Candidate",
    "Candidates",
    "CommonRun",
    "Copied",
    "DuplicatePair",
    "Duplicates",
    "Entry",
    "EraseRequest",
    "Filters",
    "Library",
    "LibraryError",
    "LikeTable",
    "Listing",
    "Metadata",
    "PartnerLibrary",
    "PageSearch",
    "Preview",
    "Receipt",
    "RecipeChanges",
    "Reference",
    "RemoveResult",
    "SimilarDocument",
    "SimilarDocuments",
    "Stats",
    "WrongRecipe",
    "back_up",
    "batch_view",
    "change_settings",
    "check_batch",
    "copy_library",
    "export_fingerprints",
    "find_own_file",
    "make_key",
    "resolve_documents",
    "open_fingerprints",
    "preview_erasure",
    "read_key",
    "read_metadata_table",
    "restore",
    "run_erasure",
    "note_own_file",
    "own_file_note",
    "shortest_run",
    "upgrade",
    "version_at",
    "with_partners",
]
