"""Submissions: what students hand in to an assignment, attempt after attempt."""
