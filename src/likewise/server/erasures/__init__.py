"""Erasures of documents and people, with their receipts."""
