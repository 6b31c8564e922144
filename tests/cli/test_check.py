"""`likewise check`: one document against many."""

from .conftest import CARAVAN, EXAMPLES, HARVEST, write

ESSAYS, ARCHIVE = EXAMPLES / "essays", EXAMPLES / "archive"
OWN = (
    "My grandmother kept bees on the flat roof of a bakery, where the warmth of the ovens woke "
    "them early. She said that honey from a roof tastes of smoke and of arguments."
)


def test_sources_are_named_with_their_shares_and_passages(likewise):
    ran = likewise("check", ESSAYS / "sam-bees.txt", "--against", ARCHIVE)
    assert ran.status == 0, ran.err
    assert "similar to a source" in ran.out
    assert "grace-bees.txt" in ran.out
    assert "verbatim" in ran.out


def test_json_is_one_object_whose_shares_add_up(likewise):
    (found,) = likewise("check", ESSAYS / "sam-bees.txt", "--against", ARCHIVE, "--json").lines
    assert found["type"] == "check"
    assert abs(sum(found["shares"].values()) - 1) < 1e-12
    (source,) = [source for source in found["sources"] if source["passages"]]
    assert source["name"] == "grace-bees.txt"
    assert 0.3 < source["counted"] == found["shares"]["similar"] < 0.5
    span = source["passages"][0]["a"]
    text = (ESSAYS / "sam-bees.txt").read_text("utf-8")
    assert text[slice(*span)].startswith("A flower needs a messenger")


def test_only_the_wordings_that_are_asked_for_count(likewise):
    asked = ("check", ESSAYS / "sam-bees.txt", "--against", ARCHIVE)
    (usual,) = likewise(*asked, "--json").lines
    assert usual["count"] == ["word_for_word", "reworded", "translated"]
    (found,) = likewise(*asked, "--json", "--count", "reworded,translated").lines
    assert found["wordings"] == usual["wordings"] and found["wordings"]["word_for_word"] > 0.3
    assert found["shares"]["similar"] == found["wordings"]["reworded"]
    assert found["shares"]["original"] == usual["shares"]["original"]
    told = likewise(*asked, "--count", "reworded").out
    assert "word for word" in told and "not counted" in told
    for wrong in ("paraphrased", ","):
        ran = likewise(*asked, "--count", wrong)
        assert ran.status == 2 and "word-for-word, reworded, translated" in ran.err


def test_the_file_itself_is_no_source(likewise, tmp_path):
    mine = write(tmp_path / "all" / "mine.txt", CARAVAN + "\n" + OWN)
    write(tmp_path / "all" / "other.txt", HARVEST)
    ran = likewise("check", mine, "--against", tmp_path / "all")
    assert "No passage of it stands in 1 document" in ran.out


def test_a_source_can_be_skipped_and_a_template_excused(likewise, tmp_path):
    mine = write(tmp_path / "mine.txt", CARAVAN + "\n\n" + OWN)
    write(tmp_path / "all" / "other.txt", CARAVAN + "\n\n" + HARVEST)
    form = write(tmp_path / "form.txt", CARAVAN)
    asked = ("check", mine, "--against", tmp_path / "all", "--json")
    (found,) = likewise(*asked).lines
    assert found["shares"]["similar"] > 0.5
    (skipped,) = likewise(*asked, "--skip", "other.txt").lines
    assert (skipped["shares"]["similar"], skipped["skipped"]) == (0, ["other.txt"])
    (excused,) = likewise(*asked, "--template", form).lines
    assert excused["shares"]["similar"] == 0
    assert {exclusion["reason"] for exclusion in excused["exclusions"]} == {"template"}


def test_a_folder_that_is_not_there(likewise, tmp_path):
    ran = likewise("check", ESSAYS / "sam-bees.txt", "--against", tmp_path / "nowhere")
    assert ran.status == 2
    assert "there is no such folder" in ran.err


def test_sources_are_told_by_the_four_measures_on_request(likewise):
    check = ("check", ESSAYS / "timur-aral.txt", "--against", ESSAYS)
    usual = likewise(*check, "--json").lines[0]
    asked = ("--sort", "agreement", "--level", 95, "--min-percentage", 40)
    told = likewise(*check, *asked, "--json").lines[0]
    assert (usual["level"], usual["min_percentage"]) == (99, 0)
    assert (told["level"], told["min_percentage"], told["shares"]) == (95, 40, usual["shares"])
    measures = [source["measures"] for source in told["sources"]]
    assert [one["agreement"] for one in measures] == sorted(
        (one["agreement"] for one in measures), reverse=True
    )
    assert [one["is_similar"] for one in measures] == [True, True, False]
    assert [source["number"] for source in usual["sources"]] == [1, 2, 3]
    by_number = {source["number"]: source["name"] for source in usual["sources"]}
    assert {source["number"]: source["name"] for source in told["sources"]} == by_number
    text = likewise(*check, *asked, "--limit", 0).out
    assert "agreement" in text and "2 of 3 sources similar as a whole" in text
    assert text.index("ilya-aral.txt") < text.index("vera-aral.txt")
    assert "agreement" not in likewise(*check, "--limit", 0).out


def test_a_level_that_is_not_there_is_refused_before_anything_is_read(likewise, tmp_path):
    ran = likewise("check", tmp_path / "none.txt", "--against", ESSAYS, "--level", 80)
    assert ran.status == 2 and "90, 95 or 99" in ran.err
    ran = likewise("check", tmp_path / "none.txt", "--against", ESSAYS, "--min-percentage", 101)
    assert ran.status == 2 and "--min-percentage" in ran.err
