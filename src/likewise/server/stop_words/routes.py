"""Stop words of each language, and the rebuild that brings a change into use."""

from __future__ import annotations

from fastapi import APIRouter

from likewise.server.people.access import Administrator, ContextDep, DocumentsRead
from likewise.server.stop_words import rebuild, service
from likewise.server.stop_words.rebuild import RebuildStarted, RebuildState
from likewise.server.stop_words.service import (
    Language,
    PreviewShape,
    WordsChange,
    WordsInput,
    WordsPreview,
    WordsShape,
)

router = APIRouter(tags=["stop words"])


@router.get("/stop-words/{language}", summary="Stop words of a language")
def show_words(language: Language, context: ContextDep, caller: DocumentsRead) -> WordsShape:
    """As they are written down; `any` are those of no language."""
    return service.show_words(context, language)


@router.put("/stop-words/{language}", summary="Replace stop words")
def set_words(
    language: Language, body: WordsInput, context: ContextDep, caller: Administrator
) -> WordsShape:
    """The whole list. Checks go on with the old one until the library is rebuilt."""
    return service.change_words(context, caller, language, body)


@router.patch("/stop-words/{language}", summary="Change stop words")
def change_words(
    language: Language, body: WordsChange, context: ContextDep, caller: Administrator
) -> WordsShape:
    """Some words more, some less."""
    return service.change_words(context, caller, language, body)


@router.post("/stop-words/{language}/preview", summary="What a change of stop words would do")
def preview_words(
    language: Language, body: WordsPreview, context: ContextDep, caller: Administrator
) -> PreviewShape:
    """Nothing is changed."""
    return service.preview(context, caller, language, body)


@router.get("/rebuild", summary="Whether a rebuild is needed")
def show_rebuild(context: ContextDep, caller: DocumentsRead) -> RebuildState:
    """How many documents wait for it, and the job that is at it."""
    return rebuild.rebuild_state(context, caller)


@router.post("/rebuild", status_code=202, summary="Rebuild the library")
def start_rebuild(context: ContextDep, caller: Administrator) -> RebuildStarted:
    """Make fingerprints anew where they are stale, and blocks of concepts where there are none.

    One job at a time.
    """
    return RebuildStarted(job=rebuild.start_rebuild(context, caller))
