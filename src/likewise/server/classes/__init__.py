"""Classes: many documents checked together; the API calls one a batch."""
