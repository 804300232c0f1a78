from nerzoo.text.token_batches import sentence_size, token_batches


def test_batches_have_items_of_similar_sizes_up_to_the_limit():
    sizes = [3, 10, 0, 4, 30, 5]
    assert token_batches(sizes, 10) == [[4], [1], [5, 3], [0, 2]]
    assert token_batches([], 10) == []


def test_very_long_words_count_several_times():
    assert sentence_size(["a"] * 3) == 3
    assert sentence_size(["a", "b" * 250]) == 6
    assert sentence_size([]) == 0
