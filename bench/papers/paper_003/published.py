"""What paper 003 prints: Begadil, the thesis on the plagiarism checker of a smart campus."""

# Figure 26: words of the first and of the second text.
EXPERIMENTS = ((291, 505), (291, 1544), (1321, 1544), (31960, 1544))

# Figure 27: seconds. None stands for "more than 120".
MORE_THAN = 120
SECONDS: dict[str, tuple[float | None, ...]] = {
    "shingles, hashed": (0.002939, 0.010552, 0.017307, 0.360539),
    "shingles, MinHash": (0.202202, 0.64201, 1.044477, 18.761202),
    "tf-idf cosine": (0.013285, 0.042082, 0.050927, 2.053419),
    "bag of words": (0.001124, 0.003802, 0.006723, 0.116886),
    "difflib SequenceMatcher": (0.067812, 0.084871, 0.072642, 56.594056),
    "jellyfish Jaro": (0.50832, 0.761914, 24.068413, None),
    "jellyfish Jaro-Winkler": (0.507661, 0.752896, 23.958769, None),
    "fuzz ratio": (0.064857, 0.334767, 2.534251, 114.025076),
    "fuzz token sort ratio": (0.065157, 0.309454, 2.289965, 95.836539),
    "fuzz token set ratio": (0.004856, 0.009202, 0.011951, 1.741437),
}
# Printed as "1E761202" in the copy that we have; the other columns grow so that it must be 18.76.
ILLEGIBLE = ("shingles, MinHash", 3)

# The worked examples.
URGENT = (
    "One of the urgent tasks of the modern information society is to find documents that are "
    "completely and partially similar to each other",
    "Search for documents that are completely or partially similar to each other is one of the "
    "urgent tasks of the modern information society",
)
URGENT_CANONICAL = (
    "one the urgent tasks the modern information society find documents that are completely and "
    "partially similar each other",
    "search for documents that are completely partially similar each other one the urgent tasks "
    "the modern information society",
)
URGENT_HASHES = tuple(
    tuple(map(int, printed.split()))
    for printed in (
        "2092786056 -117797895 1091229950 -1719675260 1475834944 -1933512722 -919041499 "
        "-1169735792 -1963868842 1454935347 38303714 443125013 1634745116 -1648892685 "
        "-1401603515 774181926",
        "650162799 255259750 1454935347 38303714 -1612114097 -932889383 -1401603515 774181926 "
        "511101553 907266865 2092786056 -117797895 1091229950 -1719675260 1475834944 -1933512722",
    )
)
MURMUR_SEED = 5
STATION = (
    "Because Almas and Zhalgas arrived at the bus station before noon, I did not see them at the "
    "station.",
    "I did not see them at the station because Almas and Zhalgas arrived at the bus station before "
    "noon.",
)
STATION_CANONICAL = (
    "almas zhalgas arrived bus station noon see station",
    "see station almas zhalgas arrived bus station noon",
)
STATION_DROPPED = "because and at the before i did not them".split()
FUNCTIONS = ("this is a first function", "this is a second function")
CHECKSUMS = {"Hello world": -1948869038, "Hello world!": 461707669}
FOUR = {"shingles": 50.0, "signature": 5.0, "tfidf": 45.0, "words": 70.0}
