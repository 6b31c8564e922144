"""What text documents of every office program have in common: paragraphs, tables, captions."""
