"""What paper 000 prints: "Finding similar document", Celozzi and Ciabini."""

BANDINGS = ((50, 2), (25, 4), (20, 5), (10, 10))  # bands, rows per band
SIMILARITIES = (0.8, 0.6, 0.5, 0.4, 0.2)  # the share of rows that stay

# A row for each similarity, a column for each banding.
IDEAL = (
    (1.0, 0.99, 0.99, 0.67),
    (1.0, 0.96, 0.80, 0.05),
    (0.99, 0.80, 0.47, 0.01),
    (0.99, 0.47, 0.18, 0.0),
    (0.87, 0.03, 0.0, 0.0),
)
MEASURED = (
    (1.0, 0.96, 0.81, 0.1),
    (0.98, 0.68, 0.42, 0.0),
    (0.94, 0.34, 0.11, 0.0),
    (0.86, 0.1, 0.06, 0.0),
    (0.62, 0.06, 0.0, 0.0),
)

DOCUMENTS = 393
TRIALS = 50
SHINGLE_CHARS = 10
SLOTS = 100

PDF_MB = 300  # "over 300MB"
SHINGLES_MB = 102
SIGNATURES_KB = 120
