import hashlib
from contextlib import ExitStack
from io import BytesIO
from uuid import uuid4

from vnfm.clouds.types import Image
from vnfm.lcm.steps.image_upload import CHUNK, UPLOADS_AT_ONCE, UPLOADS_PER_CLOUD, UploadStream, difference, upload_slot

DATA = b"0123456789" * 500_000


def image(size: int = 3, checksum: str = "", algorithm: str = "", value: str = "") -> Image:
    return Image("id", "name", "active", size, checksum, "raw", "bare", hash_algorithm=algorithm, hash_value=value)


def test_the_stream_reads_as_its_file_in_limited_chunks() -> None:
    reports: list[int] = []
    stream = UploadStream(BytesIO(DATA), reports.append)
    assert len(stream) == len(DATA)
    pieces = [stream.read(), stream.read(10), stream.read(-1), stream.read(8 * CHUNK), *iter(stream.read, b"")]
    assert b"".join(pieces) == DATA
    assert max(map(len, pieces)) == CHUNK
    assert stream.read_bytes == len(DATA)
    assert reports == [len(DATA)], "one report at the end; none before, within REPORT_EVERY"
    assert stream.hashes()["sha512"] == hashlib.sha512(DATA).hexdigest()


def test_differences_between_sent_and_stored_bytes() -> None:
    hashes = {"md5": "aa", "sha256": "bb", "sha512": "cc"}
    assert difference(image(), 3, hashes) == ""
    assert difference(image(checksum="aa", algorithm="sha512", value="cc"), 3, hashes) == ""
    assert difference(image(checksum="aa", algorithm="blake2b", value="?"), 3, hashes) == "", (
        "an algorithm that we do not compute"
    )
    assert difference(image(size=4), 3, hashes) == "bytes: sent 3, Glance has 4"
    assert difference(image(checksum="ab"), 3, hashes) == "MD5: sent aa, Glance has ab"
    assert "SHA256: sent bb, Glance has b" in difference(image(algorithm="sha256", value="b"), 3, hashes)


def test_a_cloud_that_stalls_holds_few_threads() -> None:
    cloud, other = uuid4(), uuid4()
    with upload_slot(cloud) as first, upload_slot(cloud) as second, upload_slot(cloud) as third:
        assert (first, second, third) == (True, True, False)
        with upload_slot(other) as free:
            assert free
    assert UPLOADS_PER_CLOUD == 2
    with upload_slot(cloud) as again:
        assert again


def test_many_clouds_that_stall_leave_most_threads_free() -> None:
    with ExitStack() as under_way:
        free = [under_way.enter_context(upload_slot(uuid4())) for _ in range(16)]
        assert sum(free) == UPLOADS_AT_ONCE == 5
    with upload_slot(uuid4()) as again:
        assert again
