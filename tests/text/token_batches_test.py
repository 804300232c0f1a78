from nerzoo.text.token_batches import sentence_size, text_documents, token_batches


def test_batches_have_items_of_similar_sizes_up_to_the_limit():
    sizes = [3, 10, 0, 4, 30, 5]
    assert token_batches(sizes, 10) == [[4], [1], [5, 3], [0, 2]]
    assert token_batches([], 10) == []


def test_very_long_words_count_several_times():
    assert sentence_size(["a"] * 3) == 3
    assert sentence_size(["a", "b" * 250]) == 6
    assert sentence_size([]) == 0


def test_documents_have_the_sentences_of_a_text_up_to_the_limit():
    sentences = ["abc", "de", "f", "ghijkl", "m"]
    assert text_documents(sentences, len, 5) == [["abc", "de"], ["f"], ["ghijkl"], ["m"]]
    assert text_documents(sentences, len, 0) == [[sentence] for sentence in sentences]
    assert text_documents([], len, 5) == []
