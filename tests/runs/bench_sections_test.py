import pytest

from nerzoo.runs.bench_report import difference_section, score_section


def system(name, f1, is_nerzoos):
    return {
        "name": name,
        "is_trained": True,
        "is_nerzoos": is_nerzoos,
        "f1": f1,
        "precision": f1,
        "recall": f1,
        "confidence_interval": [f1, f1],
        "standard_deviation": None,
        "f1_of_runs": [f1],
        "epochs": 3,
    }


def report(ours, other, corrected):
    """A report on two systems, with the difference of the other one and ours."""
    pair = {
        "first": "spacy",
        "second": "ner",
        "difference": other - ours,
        "confidence_interval": [other - ours - 0.02, other - ours + 0.01],
        "p_value": corrected / 2,
        "corrected": corrected,
    }
    systems = sorted([system("ner", ours, True), system("spacy", other, False)], key=lambda each: -each["f1"])
    data = {"num_entities": 9, "num_sentences": 3, "num_words": 1000}
    return {"systems": systems, "differences": [pair], "data": data}


@pytest.mark.parametrize(
    "ours, corrected, verdict",
    [
        (0.45, 0.001, "5.0 points behind the best of the others, spacy, which is significant (p = 0.0010"),
        (0.52, 0.05, "2.0 points ahead of the best of the others, spacy, which is not significant (p = 0.0500"),
    ],
)
def test_where_the_best_of_nerzoo_stands(ours, corrected, verdict):
    section = score_section(report(ours, 0.5, corrected))
    size, said = section.paragraphs
    assert size == "The test data: 9 entities in 3 sentences, 1,000 words."
    assert said == f"The best of nerzoo's systems, ner, is {verdict} after Holm's correction)."
    origins = {row[0]: row[1] for row in section.tables[0].rows}
    assert origins == {"ner": "nerzoo", "spacy": "others"}


@pytest.mark.parametrize("ours, better, difference", [(0.45, "spacy – ner", 0.05), (0.52, "ner – spacy", 0.02)])
def test_differences_are_the_better_less_the_worse(ours, better, difference):
    section = difference_section(report(ours, 0.5, 0.04))
    matrix, pairs = section.tables
    names = [column.title for column in matrix.columns[1:]]
    assert [row[1:] for row in matrix.rows] == [[None, 0.04], [0.04, None]] and names[0] == better.split()[0]
    ((pair, found, (low, high), p_value, corrected, kind),) = pairs.rows
    assert (pair, kind, p_value, corrected) == (better, "significant", 0.02, 0.04)
    assert found == pytest.approx(difference) and low < found < high
    assert section.paragraphs[1] == "0 of these differences are not significant."


def test_differences_that_are_not_significant_are_named():
    assert difference_section(report(0.49, 0.5, 0.3)).paragraphs[1] == (
        "1 of these differences are not significant: spacy – ner."
    )
