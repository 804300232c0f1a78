from nerzoo.formats.threads import Post, Thread, group_by_shared_posts


def thread(id, *texts, author="ann"):
    return Thread(id, [Post(str(number), author, text) for number, text in enumerate(texts)])


def test_threads_that_share_a_post_and_those_between_are_a_group():
    threads = [
        thread("a", "one", "two"),
        thread("b", "three", "one"),
        thread("c", "five"),
        thread("d", "four", "three"),
        thread("e", "one", author="bob"),
        thread("f", "five", "five"),
    ]
    grouped = group_by_shared_posts(threads)
    assert [(thread.id, thread.group) for thread in grouped] == [
        ("a", "a"),
        ("b", "a"),
        ("c", "c"),
        ("d", "a"),
        ("e", "e"),
        ("f", "c"),
    ]
    assert [thread.posts for thread in grouped] == [thread.posts for thread in threads]
    assert all(thread.group is None for thread in threads)
