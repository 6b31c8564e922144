"""The one family of exceptions; every message is a sentence for the person at the keyboard."""


class LikewiseError(Exception):
    """Something the user can understand and act on."""


class BadInput(LikewiseError):
    """The input, or the way it was asked for, cannot be used."""


class ReadingError(BadInput):
    """A file gave no document; the message says why, and what would help."""


class BadSettings(LikewiseError):
    """A setting has a value that makes no sense, or two settings contradict each other."""


class OutputFailed(LikewiseError):
    """A result could not be written; nothing half-written was left behind."""
