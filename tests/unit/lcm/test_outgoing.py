import hashlib
from contextlib import ExitStack
from io import BytesIO
from uuid import uuid4

from vnfm.clouds.types import Image
from vnfm.lcm.sagas.outgoing import ALL_LANES, LANES, PIECE, Outgoing, difference, lane

DATA = b"0123456789" * 500_000


def image(size: int = 3, checksum: str = "", algorithm: str = "", value: str = "") -> Image:
    return Image("id", "name", "active", size, checksum, "raw", "bare", hash_algorithm=algorithm, hash_value=value)


def test_it_reads_as_its_file_but_never_much_at_once() -> None:
    told: list[int] = []
    going = Outgoing(BytesIO(DATA), told.append)
    assert len(going) == len(DATA)
    pieces = [going.read(), going.read(10), going.read(-1), going.read(8 * PIECE), *iter(going.read, b"")]
    assert b"".join(pieces) == DATA
    assert max(map(len, pieces)) == PIECE
    assert going.read_bytes == len(DATA)
    assert told == [len(DATA)], "all has gone out; before, nothing in less than a moment"
    assert going.hashes()["sha512"] == hashlib.sha512(DATA).hexdigest()


def test_what_glance_has_beside_what_was_sent() -> None:
    hashes = {"md5": "aa", "sha256": "bb", "sha512": "cc"}
    assert difference(image(), 3, hashes) == ""
    assert difference(image(checksum="aa", algorithm="sha512", value="cc"), 3, hashes) == ""
    assert difference(image(checksum="aa", algorithm="blake2b", value="?"), 3, hashes) == "", "nobody here knows"
    assert difference(image(size=4), 3, hashes) == "bytes: sent 3, Glance has 4"
    assert difference(image(checksum="ab"), 3, hashes) == "MD5: sent aa, Glance has ab"
    assert "SHA256: sent bb, Glance has b" in difference(image(algorithm="sha256", value="b"), 3, hashes)


def test_a_cloud_that_stalls_holds_few_threads() -> None:
    cloud, other = uuid4(), uuid4()
    with lane(cloud) as first, lane(cloud) as second, lane(cloud) as third:
        assert (first, second, third) == (True, True, False)
        with lane(other) as free:
            assert free
    assert LANES == 2
    with lane(cloud) as again:
        assert again


def test_many_clouds_that_stall_leave_most_threads_free() -> None:
    with ExitStack() as under_way:
        free = [under_way.enter_context(lane(uuid4())) for _ in range(16)]
        assert sum(free) == ALL_LANES == 5
    with lane(uuid4()) as again:
        assert again
