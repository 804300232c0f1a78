import asyncio
import pickle

from nerzoo.inference.ray_feed import Feed


def run(scenario):
    asyncio.run(asyncio.wait_for(scenario(), timeout=10))


def test_a_chunk_is_given_once_it_is_there():
    async def scenario():
        feed = Feed()
        waiting = asyncio.create_task(feed.take(1))
        await feed.put(0, b"first", 0)
        await asyncio.sleep(0)
        assert not waiting.done()
        await feed.put(1, b"second", 0)
        assert await waiting == b"second"

    run(scenario)


def test_who_starts_anew_gets_all_that_is_not_done():
    async def scenario():
        feed = Feed()
        for number, chunk in enumerate([b"first", b"second", None]):
            await feed.put(number, chunk, 0)
        for _ in range(2):
            assert [await feed.take(number) for number in range(3)] == [b"first", b"second", None]

    run(scenario)


def test_what_is_done_is_forgotten_but_keeps_its_number():
    async def scenario():
        feed = Feed()
        for number, chunk in enumerate([b"first", b"second", b"third"]):
            await feed.put(number, chunk, max(0, number - 1))
        await feed.put(3, None, 2)
        assert pickle.loads(await feed.take(0)) == pickle.loads(await feed.take(1)) == []
        assert [await feed.take(number) for number in (2, 3)] == [b"third", None]
        assert set(feed._chunks) == {2, 3}

    run(scenario)


def test_calls_may_come_in_another_order():
    async def scenario():
        feed = Feed()
        await feed.put(2, b"third", 2)
        await feed.put(1, b"second", 1)
        await feed.put(3, None, 3)
        assert [await feed.take(number) for number in range(3)] == 3 * [pickle.dumps([])]
        assert await feed.take(3) is None and set(feed._chunks) == {3}

    run(scenario)
