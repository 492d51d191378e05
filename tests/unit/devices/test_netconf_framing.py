"""Messages in a stream of octets (RFC 6242), however they are cut, and what is none."""

from itertools import pairwise

import pytest

from vnfm.devices.netconf.framing import FrameError, Frames, framed

MESSAGES = [b"<a/>", "<b>ü]]&gt;]]&gt;</b>".encode(), b"<c>\n##\n</c>"]


def taken(frames: Frames, parts: list[bytes]) -> list[bytes]:
    found = []
    for part in parts:
        frames.feed(part)
        while (message := frames.take()) is not None:
            found.append(message)
    return found


@pytest.mark.parametrize("chunked", [False, True], ids=["1.0", "1.1"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_whatever_is_sent_comes_whole_however_it_is_cut(chunked: bool, size: int) -> None:
    stream = b"".join(framed(message, chunked=chunked) for message in MESSAGES)
    frames = Frames()
    frames.chunked = chunked
    cuts = [*range(0, len(stream), size), len(stream)]
    assert taken(frames, [stream[start:end] for start, end in pairwise(cuts)]) == MESSAGES


def test_a_message_of_several_chunks() -> None:
    """The example of RFC 6242, 4.2, shortened."""
    frames = Frames()
    frames.chunked = True
    assert taken(frames, [b'\n#4\n<rpc\n#19\n message-id="102"/>\n##\n']) == [b'<rpc message-id="102"/>']


def test_a_mark_inside_a_chunk_ends_nothing() -> None:
    message = b"<a>]]>]]></a>"
    frames = Frames()
    frames.chunked = True
    assert taken(frames, [framed(message, chunked=True)]) == [message]


def test_chunks_begin_after_the_hello() -> None:
    frames = Frames()
    stream = framed(b"<hello/>", chunked=False) + framed(b"<rpc-reply/>", chunked=True)
    frames.feed(stream)
    assert frames.take() == b"<hello/>"
    frames.chunked = True
    assert frames.take() == b"<rpc-reply/>"


@pytest.mark.parametrize(
    "octets",
    [
        b"<rpc-reply/>]]>]]>",
        b"\n#0\n",
        b"\n#01\nx",
        b"\n#x\n",
        b"\n##\n",
        b"\n#12345678901\n",
        b"#4\nab",
        b"\n#4\nabcd<",
    ],
)
def test_what_is_no_chunk(octets: bytes) -> None:
    frames = Frames()
    frames.chunked = True
    with pytest.raises(FrameError):
        taken(frames, [octets])


@pytest.mark.parametrize("chunked", [False, True], ids=["1.0", "1.1"])
def test_a_message_without_end_is_refused_before_it_is_read(chunked: bool) -> None:
    frames = Frames(longest=1000)
    frames.chunked = chunked
    with pytest.raises(FrameError, match="1000 octets"):
        taken(frames, [b"\n#4294967295\n" if chunked else b"x" * 600, b"x" * 600])
