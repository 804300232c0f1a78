import pytest

from nerzoo.runs.budget import Cost, Share, shares

COSTS = {"quick": Cost(1.0, 4.0), "slow": Cost(10.0, 10.0)}
FULL = {"quick": Share(10, 3), "slow": Share(20, 3)}


def total(found, num_splits=1):
    return sum(num_splits * share.seeds * COSTS[name].of(share.epochs) for name, share in found.items())


def test_with_enough_time_all_get_what_was_asked_for():
    assert shares(COSTS, FULL, 1, 3 * (14 + 210)) == FULL


@pytest.mark.parametrize("seconds, seeds", [(671, 2), (448, 2), (447, 1), (224, 1)])
def test_seeds_are_cut_before_epochs(seconds, seeds):
    found = shares(COSTS, FULL, 1, seconds)
    assert found == {name: share._replace(seeds=seeds) for name, share in FULL.items()}
    assert total(found) <= seconds


def test_what_has_one_seed_in_any_case_keeps_it():
    full = {**FULL, "quick": Share(10, 1)}
    assert shares(COSTS, full, 1, 14 + 2 * 210) == {"quick": Share(10, 1), "slow": Share(20, 2)}


def test_time_that_one_does_not_need_goes_to_the_others():
    found = shares(COSTS, FULL, 1, 114)
    assert found == {"quick": Share(10, 1), "slow": Share(9, 1)}
    assert total(found) == 114


def test_a_system_whose_share_is_too_short_gets_the_others_as_much():
    costs, full = {"a": Cost(1.0, 0.0), "b": Cost(2.0, 0.0)}, {"a": Share(100, 1), "b": Share(100, 1)}
    assert shares(costs, full, 1, 60) == {"a": Share(30, 1), "b": Share(15, 1)}


def test_splits_count():
    found = shares(COSTS, FULL, 5, 5 * 114)
    assert (found["slow"], total(found, 5)) == (Share(9, 1), 5 * 114)


def test_an_epoch_is_the_least():
    assert shares(COSTS, FULL, 1, -5) == {"quick": Share(1, 1), "slow": Share(1, 1)}
