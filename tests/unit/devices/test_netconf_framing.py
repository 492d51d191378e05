"""NETCONF framing (RFC 6242): split and invalid input."""

from itertools import pairwise

import pytest

from vnfm.devices.netconf.framing import FrameError, Frames, framed

MESSAGES = [b"<a/>", "<b>ü]]&gt;]]&gt;</b>".encode(), b"<c>\n##\n</c>"]


def extracted(frames: Frames, parts: list[bytes]) -> list[bytes]:
    found = []
    for part in parts:
        frames.feed(part)
        while (message := frames.take()) is not None:
            found.append(message)
    return found


@pytest.mark.parametrize("chunked", [False, True], ids=["1.0", "1.1"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_messages_are_complete_however_the_stream_is_split(chunked: bool, size: int) -> None:
    stream = b"".join(framed(message, chunked=chunked) for message in MESSAGES)
    frames = Frames()
    frames.chunked = chunked
    cuts = [*range(0, len(stream), size), len(stream)]
    assert extracted(frames, [stream[start:end] for start, end in pairwise(cuts)]) == MESSAGES


def test_a_message_of_several_chunks() -> None:
    """The example of RFC 6242, 4.2, shortened."""
    frames = Frames()
    frames.chunked = True
    assert extracted(frames, [b'\n#4\n<rpc\n#19\n message-id="102"/>\n##\n']) == [b'<rpc message-id="102"/>']


def test_an_end_of_message_mark_inside_a_chunk_is_data() -> None:
    message = b"<a>]]>]]></a>"
    frames = Frames()
    frames.chunked = True
    assert extracted(frames, [framed(message, chunked=True)]) == [message]


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
def test_invalid_chunks(octets: bytes) -> None:
    frames = Frames()
    frames.chunked = True
    with pytest.raises(FrameError):
        extracted(frames, [octets])


@pytest.mark.parametrize("chunked", [False, True], ids=["1.0", "1.1"])
def test_an_endless_message_is_refused(chunked: bool) -> None:
    frames = Frames(max_size=1000)
    frames.chunked = chunked
    with pytest.raises(FrameError, match="1000 octets"):
        extracted(frames, [b"\n#4294967295\n" if chunked else b"x" * 600, b"x" * 600])
