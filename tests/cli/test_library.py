"""`likewise add`, `list`, `remove`, `check` and `library …`: a library from the command line."""

import re
import zipfile

import pytest

from likewise.library import Library
from tests.cli.test_process import loaded_by

from .conftest import CARAVAN, EXAMPLES, HARVEST, write

ESSAYS, ARCHIVE = EXAMPLES / "essays", EXAMPLES / "archive"
VERBS = ("add", "list", "remove", "check")
CARES = (
    *("stats", "verify", "rebuild", "stop-words", "backup", "restore", "copy-to", "upgrade"),
    *("export", "key", "set", "duplicates", "create", "recipe", "similar"),
)


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    """A data folder of its own, and no library named."""
    monkeypatch.delenv("LIKEWISE_LIBRARY", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def campus(likewise, tmp_path):
    """A library of ten documents."""
    place = tmp_path / "campus.db"
    ran = likewise("add", ARCHIVE, "--library", place, "--type", "essay", "--year", 2023)
    assert ran.status == 0, ran.err
    return place


# Help.


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself_with_examples(likewise, verb):
    ran = likewise(verb, "--help")
    assert ran.status == 0
    assert ran.out.count(f"likewise {verb}") >= 3, "usage and examples"


@pytest.mark.parametrize("care", CARES)
def test_every_care_explains_itself_with_an_example(likewise, care):
    assert care in likewise("library", "--help").out
    ran = likewise("library", care, "--help")
    assert ran.status == 0
    assert ran.out.count(f"likewise library {care}") >= 2


def test_help_waits_for_no_database():
    for verb in ("add", "check"):
        loaded = loaded_by(verb, "--help")
        assert "likewise.cli.shared.library" in loaded
        assert loaded.isdisjoint({"sqlalchemy", "alembic", "numpy", "likewise.library"})


# Add.


def test_the_first_add_makes_a_library_and_says_where(likewise, folder, tmp_path):
    ran = likewise("add", folder)
    place = tmp_path / "data" / "likewise" / "library.db"
    assert ran.status == 0
    assert f"a new library is made in {place}" in ran.err
    assert "3 documents added" in ran.out
    ran = likewise("add", folder)
    assert ran.err == ""
    assert "0 documents added, 3 known already" in ran.out


def test_a_library_is_named_by_an_option_or_by_the_environment(
    likewise, folder, tmp_path, monkeypatch
):
    monkeypatch.setenv("LIKEWISE_LIBRARY", str(tmp_path / "named.db"))
    likewise("add", folder / "harvest.txt")
    likewise("add", folder, "--library", tmp_path / "other.db")
    assert likewise("list", "--json").summary["documents"] == 1
    assert likewise("list", "--library", tmp_path / "other.db", "--json").summary["documents"] == 3


def test_metadata_come_from_options_and_from_a_table(likewise, folder, tmp_path):
    table = write(
        tmp_path / "table.csv",
        "file,author,year,tags\ncaravan.txt,Ә. Нұр,2021,sand;night\nnobody.txt,N. Body,2020,\n",
    )
    ran = likewise(
        *("add", folder, "--metadata", table, "--owner", "dean", "--type", "essay"),
        *("--organisation", "School", "--advisor", "B. Ek", "--month", 5, "--tag", "x", "--json"),
    )
    assert ran.status == 0, ran.err
    assert ran.of_type("unmatched") == [{"type": "unmatched", "name": "nobody.txt"}]
    assert ran.summary["added"] == 3
    caravan, _copy, harvest = likewise("list", "--sort", "name", "--json").of_type("document")
    assert (caravan["author"], caravan["year"], caravan["tags"]) == (
        "Ә. Нұр",
        2021,
        ["night", "sand", "x"],
    )
    assert harvest["author"] is None
    for told in (caravan, harvest):
        assert (told["owner"], told["document_type"], told["month"]) == ("dean", "essay", 5)
        assert (told["organisation"], told["advisor"]) == ("School", "B. Ek")


def test_what_cannot_be_read_is_named(likewise, folder):
    write(folder / "broken.pdf", b"%PDF-1.7 and nothing else")
    ran = likewise("add", folder)
    assert ran.status == 0
    assert "3 documents added, 1 not read" in ran.out
    assert "broken.pdf" in ran.out
    assert likewise("add", folder, "--strict").status == 2
    alone = likewise("add", folder / "broken.pdf")
    assert alone.status == 2
    assert "the file could not be read" in alone.err


def test_the_same_bytes_and_the_same_text_are_told(likewise, folder, tmp_path):
    likewise("add", folder, "--owner", "one")
    ran = likewise("add", folder / "harvest.txt", "--owner", "two", "--json")
    assert (ran.summary["added"], ran.summary["again"]) == (0, 1)
    page = write(tmp_path / "harvest.html", f"<html><body><p>{HARVEST}</p></body></html>")
    ran = likewise("add", page, "--json")
    assert (ran.summary["added"], ran.summary["copies"]) == (1, 1)
    assert re.search(r"harvest\.html\s+copy of 3", likewise("list").out)
    assert re.search(r"harvest\.txt\s+2 times", likewise("list").out)


def test_original_files_are_kept_if_asked(likewise, folder, tmp_path):
    place = tmp_path / "with.db"
    likewise("add", folder, "--library", place, "--keep-original")
    with Library(place) as library:
        assert library.original(3) == (folder / "harvest.txt").read_bytes()


def test_what_is_not_there_is_told_before_anything_is_added(likewise, folder, tmp_path):
    ran = likewise("add", folder, tmp_path / "nowhere")
    assert (ran.status, ran.out) == (2, "")
    assert "there is no such file or folder" in ran.err
    assert not (tmp_path / "data").exists()


# List and remove.


def test_a_list_has_pages_an_order_and_filters(likewise, campus):
    likewise("add", ESSAYS / "sam-bees.txt", "--library", campus, "--year", 2019, "--author", "Sam")
    ran = likewise("list", "--library", campus, "--limit", 3, "--page", 2, "--sort", "-words")
    assert "4 to 6 of 11 documents" in ran.out
    assert "--page 3 shows more" in ran.out
    years = likewise("list", "--library", campus, "--year", "-2020", "--json")
    assert [told["name"] for told in years.of_type("document")] == ["sam-bees.txt"]
    for asked in (["--author", "Sam"], ["--year", "2018-2020"], ["sam"], ["SAM", "bees"]):
        assert likewise("list", "--library", campus, *asked, "--json").summary["documents"] == 1
    assert "No document fits" in likewise("list", "--library", campus, "--type", "thesis").out
    assert "not so many pages" in likewise("list", "--library", campus, "--page", 9).out


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--sort", "colour"], "cannot be sorted by 'colour'"),
        (["--year", "soon"], "--year soon: give a year"),
        (["--year", "-"], "give a year"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(likewise, campus, asked, told):
    ran = likewise("list", "--library", campus, *asked)
    assert ran.status == 2
    assert told in ran.err


def test_without_a_library_there_is_a_word_how_to_make_one(likewise, tmp_path):
    for verb in (["list"], ["remove", "1"], ["check", ESSAYS / "sam-bees.txt"]):
        ran = likewise(*verb)
        assert ran.status == 2
        assert "there is no library yet: `likewise add` makes one" in ran.err
    ran = likewise("list", "--library", tmp_path / "typo.db")
    assert "there is no library" in ran.err
    assert not (tmp_path / "typo.db").exists()


def test_documents_are_removed_by_number_and_name(likewise, campus):
    ran = likewise("remove", 1, "--library", campus)
    assert ran.out == "1 document removed, 9 left.\n"
    ran = likewise("remove", "grace-bees.txt", 2, "--library", campus, "--yes", "--json")
    assert [told["name"] for told in ran.of_type("removed")] == ["grace-bees.txt", "asel-aral.txt"]
    assert ran.summary["documents"] == 7
    ran = likewise("remove", 99, "--library", campus)
    assert (ran.status, "there is no document 99" in ran.err) == (2, True)
    ran = likewise("remove", 5, "grace", "--library", campus, "--yes")
    assert (ran.status, "no document called grace" in ran.err) == (2, True)
    assert likewise("list", "--library", campus, "--json").summary["documents"] == 7


def test_many_are_not_removed_without_being_asked(likewise, campus):
    ran = likewise("remove", "--type", "essay", "--library", campus)
    assert ran.status == 2
    assert "10 documents are removed" in ran.err
    assert "--yes" in ran.err
    ran = likewise("remove", "--type", "essay", "--library", campus, "--yes")
    assert ran.out == "10 documents removed, 0 left.\n"
    assert likewise("remove", "--library", campus).status == 2
    assert "nothing was removed" in likewise("remove", "--tag", "x", "--library", campus).out


# Check.


def test_a_document_is_checked_against_the_library(likewise, campus, tmp_path):
    page = tmp_path / "report.html"
    asked = ("check", ESSAYS / "sam-bees.txt", "--library", campus)
    ran = likewise(*asked, "--report", page)
    assert ran.status == 0, ran.err
    assert "grace-bees.txt" in ran.out
    assert page.stat().st_size > 10_000
    (found,) = likewise(*asked, "--json").lines
    (folder,) = likewise("check", ESSAYS / "sam-bees.txt", "--against", ARCHIVE, "--json").lines
    assert found["shares"] == folder["shares"]
    assert found["documents"] == folder["documents"] == 10


def test_a_collection_stands_alone(likewise, tmp_path):
    place = tmp_path / "campus.db"
    path = write(tmp_path / "caravan.txt", CARAVAN)
    for collection in ("history", "physics"):
        ran = likewise("add", path, "-l", place, "--collection", collection, "--json")
        assert ran.summary["added"] == 1
    likewise("add", write(tmp_path / "harvest.txt", HARVEST), "-l", place)
    listed = likewise("list", "-l", place, "--collection", "physics", "--json")
    (found,) = listed.of_type("document")
    assert (found["id"], found["collection"], found["copy_of"]) == (2, "physics", 1)
    assert "in history" in likewise("list", "-l", place).out
    (found,) = likewise("list", "-l", place, "--collection", "", "--json").of_type("document")
    assert found["name"] == "harvest.txt"
    question = write(tmp_path / "question.txt", f"{CARAVAN} {HARVEST}")
    for collection, names in (("history", ["caravan.txt"]), ("", ["harvest.txt"])):
        ran = likewise("check", question, "-l", place, "--collection", collection, "--json")
        (check,) = ran.lines
        assert [source["name"] for source in check["sources"]] == names
    ran = likewise("remove", "-l", place, "--collection", "history", "--json")
    assert (ran.summary["removed"], ran.summary["documents"]) == (1, 2)
    assert likewise("library", "verify", "-l", place).status == 0


def test_filters_choose_the_sources(likewise, campus):
    asked = ("check", ESSAYS / "sam-bees.txt", "--library", campus, "--json")
    likewise("remove", "grace-bees.txt", "--library", campus)
    likewise("add", ARCHIVE / "grace-bees.txt", "--library", campus, "--author", "Grace")
    for refused in (["--not-by", "Grace"], ["--skip", "grace-bees.txt"], ["--language", "ru"]):
        assert likewise(*asked, *refused).lines[0]["shares"]["similar"] == 0, refused
    for allowed in (["--not-by", "Sam"], ["--author", "Grace"], ["--min-share", 0.1]):
        assert likewise(*asked, *allowed).lines[0]["shares"]["similar"] > 0.3, allowed
    assert likewise(*asked, "--min-share", 0.9).lines[0]["shares"]["similar"] == 0
    ran = likewise(*asked, "--type", "thesis")
    assert ran.status == 2
    assert "no document that fits" in ran.err


def test_a_file_that_was_added_is_not_its_own_source_unless_somebody_else_handed_it_in(
    likewise, tmp_path
):
    mine = write(tmp_path / "mine.txt", CARAVAN)
    for name in ("mine.txt", "other.txt"):
        likewise("add", write(tmp_path / name, CARAVAN if name == "mine.txt" else HARVEST))
    ran = likewise("check", mine)
    assert "No passage of it stands in 1 document" in ran.out
    assert "it is in the library itself, as document 1" in ran.out
    for ending in ("html", "pdf", "docx", "csv", "json"):
        assert likewise("check", mine, "--report", tmp_path / f"report.{ending}").status == 0
    assert "library.in_library_itself" in (tmp_path / "report.json").read_text("utf-8")
    likewise("add", mine, "--owner", "somebody else")
    assert likewise("check", mine, "--json").lines[0]["shares"]["similar"] == 1


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["--against", ARCHIVE, "--year", 2020], "do not belong to --against"),
        (["--against", ARCHIVE, "--library", "x.db"], "give one"),
        (["--no-stem"], "belong to --against"),
        (["--skip", "nobody.txt"], "no document called nobody.txt"),
    ],
)
def test_options_that_contradict_each_other_are_refused(likewise, campus, asked, told):
    library = [] if "--library" in asked or "--against" in asked else ["--library", campus]
    ran = likewise("check", ESSAYS / "sam-bees.txt", *library, *asked)
    assert ran.status == 2
    assert told in ran.err


# A class.


def test_a_class_is_checked_against_the_library_and_itself(likewise, campus, tmp_path):
    chosen = ("sam-bees.txt", "ilya-aral.txt", "vera-aral.txt", "bota-bees.txt")
    archive = tmp_path / "class.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name in chosen:
            packed.write(ESSAYS / name, name)
        packed.writestr("broken.pdf", b"%PDF-1.7 and nothing else")
    ran = likewise("check", archive, "--library", campus)
    assert ran.status == 0, ran.err
    assert re.search(r"37\.2%\s+sam-bees\.txt\s+grace-bees\.txt", ran.out)
    assert re.search(r"ilya-aral\.txt\s+vera-aral\.txt\s+\d\d\.\d%\s+in this class", ran.out)
    assert re.search(r"0%\s+bota-bees\.txt", ran.out)
    assert "broken.pdf" in ran.out
    assert likewise("check", archive, "--library", campus, "--strict").status == 2
    told = likewise("check", archive, "--library", campus, "--json")
    assert {line["name"] for line in told.of_type("check")} == set(chosen)
    (pair,) = told.of_type("pair")
    assert (pair["a"], pair["b"]) == ("ilya-aral.txt", "vera-aral.txt")
    assert told.summary["unread"] == 1
    for ending in ("html", "json", "csv", "docx", "pdf"):
        report = tmp_path / f"class.{ending}"
        ran = likewise("check", archive, "--library", campus, "--report", report)
        assert ran.status == 0, ran.err
        assert report.stat().st_size > 300
    files = [ESSAYS / name for name in chosen]
    assert len(likewise("check", *files, "--library", campus, "--json").of_type("check")) == 4


def test_a_class_that_was_added_before_is_compared_with_others_only(likewise, tmp_path):
    folder = tmp_path / "class"
    for i, text in enumerate((CARAVAN, HARVEST)):
        write(folder / f"{i}.txt", text)
    likewise("add", folder)
    ran = likewise("check", folder, "--json")
    assert [line["shares"]["similar"] for line in ran.of_type("check")] == [0, 0]


# Looking after it.


def test_stats_and_verify(likewise, campus):
    ran = likewise("library", "stats", "--library", campus)
    assert re.search(r"documents +10\n", ran.out)
    (told,) = likewise("library", "stats", "--library", campus, "--json").lines
    assert (told["documents"], told["stale"], told["copies"]) == (10, 0, 0)
    assert likewise("library", "verify", "--library", campus).out == (
        "10 documents: all is well.\n"
    )


def test_verify_ends_with_1_where_something_does_not_agree(likewise, campus):
    with Library(campus) as library, library._store.writing() as (connection, _change):
        connection.exec_driver_sql("UPDATE documents SET words = 1 WHERE id = 4")
    ran = likewise("library", "verify", "--library", campus)
    assert ran.status == 1
    assert "document 4 (grace-bees.txt): 1 words are noted" in ran.out
    ran = likewise("library", "verify", "--library", campus, "--json")
    assert (ran.status, ran.summary["problems"]) == (1, 1)


def test_stop_words_are_shown_and_changed_and_rebuilt(likewise, campus, tmp_path):
    asked = ("library", "stop-words", "en", "--library", campus)
    shown = likewise(*asked).out.split()
    assert "the" in shown
    assert "bees" not in shown
    ran = likewise(*asked, "--add", "Bees", "--remove", "the")
    assert "`likewise library rebuild` brings them into use" in ran.out
    changed = likewise(*asked).out.split()
    assert set(changed) ^ set(shown) == {"bees", "the"}
    assert likewise("library", "stats", "--library", campus, "--json").lines[0]["stale"] == 10
    assert "10 documents were made anew" in likewise("library", "rebuild", "-l", campus).out
    assert "Nothing is stale" in likewise("library", "rebuild", "-l", campus).out
    words = write(tmp_path / "words.txt", "one\ntwo\n")
    likewise(*asked, "--set", words)
    assert likewise(*asked, "--json").lines[0]["words"] == ["one", "two"]
    assert likewise(*asked, "--remove", "the").status == 2
    assert likewise("library", "stop-words", "--add", "x", "-l", campus).status == 2


def test_a_backup_is_restored_after_a_question(likewise, campus, tmp_path):
    backup = tmp_path / "monday.db"
    ran = likewise("library", "backup", backup, "--library", campus)
    assert ran.out.startswith("10 documents in ")
    likewise("remove", "--type", "essay", "--yes", "--library", campus)
    ran = likewise("library", "restore", backup, "--library", campus)
    assert (ran.status, "Say --yes" in ran.err) == (2, True)
    ran = likewise("library", "restore", backup, "--library", campus, "--yes", "--json")
    assert ran.summary["documents"] == 10
    assert likewise("list", "--library", campus, "--json").summary["documents"] == 10
    ran = likewise("library", "restore", backup, "--library", campus, "--dry-run", "--json")
    assert ran.lines[0]["type"] == "accounts", "and nothing else is done or asked"
    likewise("library", "restore", backup)  # where there is none, nobody is asked
    assert likewise("list", "--json").summary["documents"] == 10


def test_copying_and_upgrading(likewise, campus, tmp_path):
    copy = tmp_path / "copy.db"
    ran = likewise("library", "copy-to", copy, "--library", campus)
    assert ran.out == f"10 documents copied to {copy}; both are equal.\n"
    assert likewise("library", "verify", "--library", copy).status == 0
    ran = likewise("library", "copy-to", copy, "--library", campus)
    assert (ran.status, "there is a library already" in ran.err) == (2, True)
    ran = likewise("library", "upgrade", "--library", copy)
    assert ran.out == "10 documents in a library that is up to date.\n"
    assert likewise("library", "upgrade", "--library", tmp_path / "none.db").status == 2
    assert not (tmp_path / "none.db").exists()


def test_a_partner_lends_fingerprints(likewise, campus, tmp_path):
    key, lent = tmp_path / "both.key", tmp_path / "campus.lwf"
    assert "A new key is in" in likewise("library", "key", key).out
    ran = likewise(
        *("library", "export", "--fingerprints", lent, "--key-file", key, "--library", campus),
        *("--with", "name,year", "--label", "Campus", "--type", "essay"),
    )
    assert ran.status == 0, ran.err
    assert ran.out.startswith("The fingerprints of 10 documents in ")
    own = write(tmp_path / "own" / "harvest.txt", HARVEST)
    likewise("add", own)
    asked = ("check", ESSAYS / "sam-bees.txt", "--also", lent, "--key-file", key)
    ran = likewise(*asked)
    assert re.search(r"Elsewhere\n.*\n +3\d\.\d%  grace-bees\.txt  Campus", ran.out)
    (found,) = likewise(*asked, "--json").lines
    assert found["shares"]["similar"] == 0
    (partner,) = found["partners"]
    assert (partner["library"], partner["name"]) == ("Campus", "grace-bees.txt")
    assert partner["told"] == {"id": "4", "name": "grace-bees.txt", "year": "2023"}
    (found,) = likewise(*asked, "--against", own.parent, "--json").lines
    assert len(found["partners"]) == 1
    several = likewise("check", ESSAYS / "sam-bees.txt", own, *asked[2:], "--json")
    assert [len(line["partners"]) for line in several.of_type("check")] == [1, 0]


def test_fingerprints_need_the_right_key_and_recipe(likewise, campus, tmp_path):
    for name in ("one", "other"):
        likewise("library", "key", tmp_path / name)
    lent = tmp_path / "campus.lwf"
    exported = ("library", "export", "--fingerprints", lent, "--library", campus, "--key-file")
    assert likewise(*exported, tmp_path / "one").status == 0
    asked = ("check", ESSAYS / "sam-bees.txt", "--library", campus)
    for more, told in (
        (["--also", lent, "--key-file", tmp_path / "other"], "the key does not fit"),
        (["--also", lent], "--also needs --key-file"),
        (["--key-file", tmp_path / "one"], "--key-file belongs to --also"),
        (["--also", ESSAYS / "sam-bees.txt", "--key-file", tmp_path / "one"], "no file of finger"),
    ):
        ran = likewise(*asked, *more)
        assert ran.status == 2
        assert told in ran.err
    ran = likewise(
        *("check", ESSAYS / "sam-bees.txt", "--against", ARCHIVE, "--no-stem"),
        *("--also", lent, "--key-file", tmp_path / "one"),
    )
    assert (ran.status, "another recipe" in ran.out) == (0, True)  # the own check goes on
    assert likewise(*exported, tmp_path / "one", "--with", "text").status == 2


def test_every_partner_may_have_a_key_of_its_own(likewise, campus, tmp_path):
    also, keys = [], []
    for name in ("north", "south"):
        key, lent = tmp_path / f"{name}.key", tmp_path / f"{name}.lwf"
        likewise("library", "key", key)
        exported = ("library", "export", "--fingerprints", lent, "--label", name)
        assert likewise(*exported, "--key-file", key, "--library", campus).status == 0
        also += ["--also", lent]
        keys += ["--key-file", key]
    asked = ("check", ESSAYS / "sam-bees.txt", "--library", campus, *also)
    (found,) = likewise(*asked, *keys, "--json").lines
    assert sorted({partner["library"] for partner in found["partners"]}) == ["north", "south"]
    assert "the key does not fit" in likewise(*asked, *keys[:2]).err
    assert "one --key-file for all" in likewise(*asked, *keys, *keys[:2]).err


def test_a_password_is_never_shown(likewise, folder):
    place = "postgresql://campus:secret@127.0.0.1:1/library"
    for verb in (["add", folder], ["list"], ["library", "stats"]):
        ran = likewise(*verb, "--library", place)
        assert ran.status == 2
        assert "no server answers there" in ran.err
        assert "secret" not in ran.err + ran.out


@pytest.mark.parametrize(
    "written",
    [
        "postgresql:/me:s3cr3t@campus/library",
        "host=campus password=s3cr3t",
        "postgresql://me:s3cr3t@s3cr3t@campus/library",
        "postgresql://me@127.0.0.1:9/library?password=s3cr3t",
    ],
)
def test_what_may_hold_a_password_is_never_repeated(likewise, folder, tmp_path, written):
    backup = tmp_path / "backup.db"
    assert likewise("add", folder, "--library", backup).status == 0
    for asked in (
        ["add", folder],
        ["list"],
        ["library", "stats"],
        ["library", "upgrade"],
        ["library", "restore", backup, "--yes"],
    ):
        ran = likewise(*asked, "--library", written)
        assert ran.status == 2
        assert "s3cr3t" not in ran.out + ran.err
    ran = likewise("library", "copy-to", written, "--library", backup)
    assert (ran.status, "s3cr3t" in ran.out + ran.err) == (2, False)


def test_what_others_handed_in_too_is_left_to_them(likewise, folder, tmp_path):
    place = tmp_path / "campus.db"
    for owner in ("asel", "dana"):
        likewise("add", folder / "caravan.txt", "--library", place, "--owner", owner)
    likewise("add", folder / "harvest.txt", "--library", place, "--owner", "asel")
    ran = likewise("remove", "--owner", "asel", "--library", place)
    assert "1 document is removed, and 1 left to others" in ran.err
    ran = likewise("remove", "--owner", "asel", "--library", place, "--yes")
    assert "1 document removed, 1 document left to others" in ran.out
    (left,) = likewise("list", "--library", place, "--json").of_type("document")
    assert left["owner"] == "dana"
    ran = likewise("remove", "--owner", "dana", "--library", place, "--yes", "--json")
    assert (ran.summary["removed"], ran.summary["references"]) == (1, 0)


def test_a_number_that_is_a_name_too_is_asked_about(likewise, tmp_path):
    place = tmp_path / "campus.db"
    for name, text in (("first.txt", CARAVAN), ("1", HARVEST)):
        likewise("add", write(tmp_path / name, text), "--library", place)
    ran = likewise("remove", 1, "--library", place)
    assert ran.status == 2
    assert "say id:1 or name:1" in ran.err
    ran = likewise("remove", "name:1", "--library", place, "--json")
    assert [told["id"] for told in ran.of_type("removed")] == [2]
    ran = likewise("remove", "id:1", "--library", place, "--json")
    assert [told["id"] for told in ran.of_type("removed")] == [1]


def test_metadata_are_corrected_and_filled_in(likewise, folder, tmp_path):
    place = tmp_path / "campus.db"
    likewise("add", folder, "--library", place, "--year", 2032)
    ran = likewise("library", "set", "harvest.txt", "--year", 2023, "--tag", "x", "-l", place)
    assert ran.out == "1 document corrected.\n"
    found = likewise("list", "harvest", "--library", place, "--json").of_type("document")
    assert [(told["year"], told["tags"]) for told in found] == [(2023, ["x"])]
    table = write(tmp_path / "table.csv", "file;author;grade\nharvest.txt;A. Nur;5\n")
    ran = likewise("add", folder, "--library", place, "--metadata", table, "--keep-original")
    assert "3 known already" in ran.out
    assert "metadata filled in of 1" in ran.out
    assert "originals kept of 3" in ran.out
    assert "columns that say nothing here: grade" in ran.err
    assert likewise("library", "set", 1, "--library", place).status == 2


def test_stop_words_that_cannot_be_are_refused(likewise, campus, tmp_path):
    asked = ("library", "stop-words")
    for wrong in (["fr", "--add", "le"], ["en", "--add", "two words"], ["en", "--remove", "bees"]):
        assert likewise(*asked, *wrong, "--library", campus).status == 2
    empty = write(tmp_path / "empty.txt", "")
    ran = likewise(*asked, "en", "--set", empty, "--library", campus)
    assert (ran.status, "all stop words of en are dropped" in ran.err) == (2, True)
    assert likewise(*asked, "en", "--set", empty, "--library", campus, "--yes").status == 0


def test_one_thing_is_one_thing(likewise, campus):
    with Library(campus) as library, library._store.writing() as (connection, _change):
        connection.exec_driver_sql("UPDATE library SET last_document = 1")
    assert (
        "10 documents: 1 thing does not agree." in likewise("library", "verify", "-l", campus).out
    )


def test_the_home_folder_is_known(likewise, folder, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert likewise("add", folder, "--library", "~/campus.db").status == 0
    assert (tmp_path / "campus.db").exists()


# Similar documents.


def test_documents_similar_to_a_file_come_with_all_measures(likewise, campus):
    file = ESSAYS / "aigerim-aral.txt"
    ran = likewise("library", "similar", file, "--library", campus, "--json", "--level", 95)
    assert ran.status == 0, ran.err
    (similar,) = ran.of_type("similar")
    compared = likewise("compare", file, ARCHIVE / "asel-aral.txt", "--json", "--level", 95).lines
    scores = compared[0]["scores"]
    assert similar["name"] == "asel-aral.txt" and similar["document_type"] == "essay"
    measures = similar["measures"]
    assert measures["interval"] == scores["interval"]
    assert measures["agreement"] == scores["agreement"]
    assert measures["jaccard"] == compared[0]["jaccard"]
    assert all(measures[name] == scores[name] for name in ("signature", "tfidf", "words"))
    summary = ran.summary
    assert (summary["documents"], summary["measured"], summary["similar"]) == (10, 10, 1)
    assert (summary["level"], summary["min_percentage"]) == (95, 0)


def test_the_least_agreement_chooses_among_all_documents(likewise, campus):
    def names(*options):
        ran = likewise(
            *("library", "similar", ESSAYS / "aigerim-aral.txt", "--library", campus, "--json"),
            *options,
        )
        assert ran.status == 0, ran.err
        percentages = [one["measures"]["percentage"] for one in ran.of_type("similar")]
        assert percentages == sorted(percentages, reverse=True)
        return [one["name"] for one in ran.of_type("similar")]

    assert len(names("--min-percentage", 0)) == 10
    assert names("--min-percentage", 0, "--limit", 1) == ["asel-aral.txt"]
    assert names("--min-percentage", 40) == ["asel-aral.txt"]
    assert names("--min-percentage", 99) == []
    assert names("--min-percentage", 0, "--language", "en") and names("--language", "en") == []


def test_similar_documents_are_told_to_people(likewise, campus):
    file = ESSAYS / "aigerim-aral.txt"
    told = likewise("library", "similar", file, "--library", campus).out
    assert (
        "99% interval" in told and "asel-aral.txt" in told and "10 documents, all measured" in told
    )
    told = likewise("library", "similar", file, "--library", campus, "--min-percentage", 99).out
    assert "No document is similar." in told
    itself = likewise("library", "similar", ARCHIVE / "asel-aral.txt", "--library", campus)
    assert itself.status == 0 and "9 documents, all measured" in itself.out
    assert "itself" in itself.out or "is in the library" in itself.out


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--level", 80), "90, 95 or 99"),
        (("--min-percentage", 101), "--min-percentage"),
        (("--min-percentage", "half"), "--min-percentage"),
        (("--type", "nothing-of-this-type"), "fit"),
    ],
)
def test_what_similar_cannot_do_is_said(likewise, campus, options, why):
    ran = likewise("library", "similar", ESSAYS / "aigerim-aral.txt", "--library", campus, *options)
    assert ran.status == 2 and why in ran.err and not ran.out
