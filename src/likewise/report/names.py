"""What people call the documents of a report: the student, where the path of a file tells who."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from likewise.reading.submissions import display_name, display_names
from likewise.report.view import BatchView, CheckView, TextView


def label_batch(view: BatchView) -> BatchView:
    """A class whose documents are called by their students; sources from elsewhere by theirs."""
    checked = [check.document.name for check in view.checks]
    labels = _labels(checked)
    unread = [name for name, _, _ in view.unchecked.unread]
    # Told apart from what was checked; which is called as if it had been handed in alone, since a
    # page of its own does not know of them.
    called = _labels([*checked, *unread])
    texts = tuple(_labelled(text, labels) for text in view.collection.texts)
    return replace(
        view,
        checks=tuple(_label(check, labels) for check in view.checks),
        collection=replace(view.collection, texts=texts),
        unchecked=replace(view.unchecked, called=tuple(called[name] for name in unread)),
    )


def label_check(view: CheckView, handed_in: Sequence[str] = ()) -> CheckView:
    """A check called as in its class, of which `handed_in` are the names."""
    return _label(view, _labels(handed_in))


def called_in(view: CheckView, name: str) -> str:
    """What people call a document that a report names."""
    texts = (view.document, *(source.text for source in view.sources))
    return next((text.called for text in texts if text.name == name), display_name(name))


def _labels(names: Sequence[str]) -> dict[str, str]:
    return dict(zip(names, display_names(names), strict=True))


def _label(view: CheckView, labels: Mapping[str, str]) -> CheckView:
    sources = tuple(replace(source, text=_labelled(source.text, labels)) for source in view.sources)
    return replace(view, document=_labelled(view.document, labels), sources=sources)


def _labelled(text: TextView, labels: Mapping[str, str]) -> TextView:
    label = labels.get(text.name) or display_name(text.name)
    return replace(text, label="" if label == text.name else label)
