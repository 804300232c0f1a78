from helpers.evaluated import evaluated

from nerzoo.reports.groupings import Grouping


def test_groups_are_scored_by_themselves():
    grouping = Grouping("length", "length", ("1", "2"), lambda _, entity, __: str(entity.end - entity.start))
    one, two = grouping.scores([evaluated("0-1 A, 2-4 A, 5-7 B", "0-1 A, 2-4 A, 5-6 B, 8-9 C")])
    counts = {"gold": 1, "predicted": 3, "correct": 1, "correct_of_gold": 1}
    assert one == {"name": "1", **counts, "precision": 1 / 3, "recall": 1.0, "f1": 0.5}
    assert (two["gold"], two["predicted"], two["precision"], two["recall"]) == (2, 1, 1.0, 0.5)


def test_a_correct_entity_may_be_in_two_groups():
    grouping = Grouping(
        "alone", "alone", ("alone", "among others"), lambda *of: ["among others", "alone"][len(of[2]) == 1]
    )
    alone, others = grouping.scores([evaluated("0-1 A, 2-4 A", "0-1 A")])
    assert (alone["gold"], alone["predicted"], alone["correct"], alone["correct_of_gold"]) == (0, 1, 1, 0)
    assert (others["gold"], others["correct"], others["correct_of_gold"], others["recall"]) == (2, 0, 1, 0.5)
