"""Deduplication of corpora, end to end."""

import json

import pytest

import likewise as lw
from likewise.errors import BadInput, BadSettings

BASE = "the caravan left the old town before dawn and crossed the dry river near the broken mill"
OTHER = "bees visit every flower of the orchard and carry pollen home to the hive in the warm wall"
LONGER = BASE + " under a pale moon"


def corpus(path, records):
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records), "utf-8")
    return path


@pytest.fixture
def crawl(tmp_path):
    return corpus(
        tmp_path / "crawl.jsonl",
        [
            {"id": "a", "text": BASE, "kept": "as it is"},
            {"id": "b", "text": OTHER},
            {"id": "c", "text": LONGER},
            {"id": "d", "text": BASE},
            {"id": "e", "text": "..."},
        ],
    )


def ids(result):
    return list(result.kept_ids(result.results[0]))


def test_each_cluster_keeps_its_first_record(crawl):
    result = lw.dedup(crawl, threshold=0.7, settings=lw.Settings.plain())
    assert ids(result) == ["a", "b", "e"]
    assert [c.members for c in result.results[0].clusters] == [(0, 2, 3)]
    assert result.wordless == 1


def test_each_cluster_can_keep_its_longest_record(crawl):
    result = lw.dedup(crawl, threshold=0.7, keep="longest", settings=lw.Settings.plain())
    assert ids(result) == ["b", "c", "e"]


def test_pairs_carry_exact_figures(crawl):
    result = lw.dedup(crawl, threshold=0.7, settings=lw.Settings.plain())
    pairs = {(p.a, p.b): p.jaccard for p in result.pairs(result.results[0])}
    assert pairs == {("a", "d"): 1.0, ("a", "c"): 13 / 17, ("c", "d"): 13 / 17}


def test_several_thresholds_in_one_run_equal_several_runs(crawl):
    both = lw.dedup(crawl, threshold=[0.99, 0.7], settings=lw.Settings.plain())
    assert [r.threshold for r in both.results] == [0.7, 0.99]
    for result in both.results:
        alone = lw.dedup(crawl, threshold=result.threshold, settings=lw.Settings.plain())
        assert result.kept.tolist() == alone.results[0].kept.tolist()
        assert result.clusters == alone.results[0].clusters


def test_the_cleaned_corpus_keeps_every_field_untouched(crawl, tmp_path):
    lw.dedup(crawl, threshold=0.7, output=tmp_path / "clean", settings=lw.Settings.plain())
    before = crawl.read_text().splitlines()
    after = (tmp_path / "clean" / "crawl.jsonl").read_text().splitlines()
    assert after == [before[0], before[1], before[4]]


def test_several_thresholds_are_written_into_folders_of_their_own(crawl, tmp_path):
    lw.dedup(crawl, threshold=[0.7, 0.99], output=tmp_path / "clean")
    assert sorted(p.name for p in (tmp_path / "clean").iterdir()) == ["0.7", "0.99"]


def test_against_removes_what_stands_in_the_other_corpus(crawl, tmp_path):
    old = corpus(tmp_path / "old.jsonl", [{"id": "x", "text": OTHER}])
    result = lw.dedup(crawl, threshold=0.8, against=old)
    assert ids(result) == ["a", "c", "d", "e"]
    assert [(p.a, p.b) for p in result.pairs(result.results[0])] == [("b", "x")]


def test_against_by_containment_finds_a_benchmark_item_inside_a_page(tmp_path):
    page = f"{OTHER} {BASE} {OTHER[::-1]}"
    new = corpus(tmp_path / "new.jsonl", [{"id": "page", "text": page}, {"id": "b", "text": OTHER}])
    benchmark = corpus(tmp_path / "bench.jsonl", [{"id": "item", "text": BASE}])
    by_jaccard = lw.dedup(new, threshold=0.8, against=benchmark)
    assert ids(by_jaccard) == ["page", "b"]
    by_containment = lw.dedup(new, threshold=0.8, against=benchmark, measure="containment")
    assert ids(by_containment) == ["b"]


def test_the_same_ids_may_stand_in_both_corpora(crawl, tmp_path):
    old = corpus(tmp_path / "old.jsonl", [{"id": "a", "text": OTHER}])
    assert ids(lw.dedup(crawl, threshold=0.8, against=old)) == ["a", "c", "d", "e"]


def test_paragraphs_are_removed_from_their_documents(tmp_path):
    crawl = corpus(
        tmp_path / "crawl.jsonl",
        [{"id": "a", "text": f"{BASE}\n\n{OTHER}"}, {"id": "b", "text": f"{OTHER}\n\nquite new"}],
    )
    lw.dedup(crawl, unit="paragraph", output=tmp_path / "clean")
    lines = (tmp_path / "clean" / "crawl.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["text"] == f"{BASE}\n\n{OTHER}"
    assert json.loads(lines[1])["text"].strip() == "quite new"


def test_a_broken_line_is_named_with_its_number_and_can_be_skipped(crawl):
    with crawl.open("a") as file:
        file.write("{broken\n")
    with pytest.raises(BadInput, match="line 6"):
        lw.dedup(crawl)
    result = lw.dedup(crawl, skip_bad=True)
    assert result.corpus.bad_count == 1


def test_an_output_that_is_in_the_way_is_refused_before_any_work(crawl, tmp_path):
    (tmp_path / "clean").mkdir()
    (tmp_path / "clean" / "something").write_text("mine")
    with pytest.raises(BadInput, match="not empty"):
        lw.dedup(crawl, output=tmp_path / "clean")


def test_sensible_thresholds_and_rules_are_asked_for(crawl):
    with pytest.raises(BadSettings, match="threshold"):
        lw.dedup(crawl, threshold=[0.8, 1.5])
    with pytest.raises(BadSettings, match="keep"):
        lw.dedup(crawl, keep="shortest")  # type: ignore[arg-type]
    with pytest.raises(BadSettings, match="filter"):
        lw.dedup(crawl, filter="length")


def test_any_memory_and_any_number_of_threads_give_the_same_answer(crawl):
    one = lw.dedup(crawl, threshold=0.3, jobs=1)
    for other in (lw.dedup(crawl, threshold=0.3, jobs=3), lw.dedup(crawl, threshold=0.3, memory=1)):
        assert list(other.pairs(other.results[0])) == list(one.pairs(one.results[0]))


def test_ten_thousand_copies_are_deduplicated_without_listing_their_pairs(tmp_path):
    crawl = corpus(tmp_path / "c.jsonl", [{"id": i, "text": BASE} for i in range(10_000)])
    result = lw.dedup(crawl)
    assert ids(result) == ["0"]
    assert len(result.results[0].pairs) == 49_995_000
    assert len(result.results[0].clusters) == 1


def test_common_words_of_the_corpus_can_be_dropped(tmp_path):
    heading = "copyright by the authors all rights reserved worldwide "
    crawl = corpus(
        tmp_path / "c.jsonl",
        [{"id": i, "text": heading + t} for i, t in enumerate(["red fox", "blue whale", "owl"])],
    )
    assert len(ids(lw.dedup(crawl, threshold=0.3, settings=lw.Settings.plain()))) == 1
    dropped = lw.dedup(crawl, threshold=0.3, drop_common=0.9, settings=lw.Settings.plain())
    assert len(ids(dropped)) == 3


def test_the_other_corpus_may_call_its_fields_otherwise(crawl, tmp_path):
    old = corpus(tmp_path / "old.jsonl", [{"n": 1, "question": OTHER}])
    result = lw.dedup(crawl, threshold=0.8, against=old, against_text="question", against_id="n")
    assert [(p.a, p.b) for p in result.pairs(result.results[0])] == [("b", "1")]
