// @vitest-environment node
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createParser, openEventStream, type StreamMessage } from "./eventStream";

function parse(...chunks: string[]): StreamMessage[] {
  const messages: StreamMessage[] = [];
  const feed = createParser((message) => messages.push(message));
  chunks.forEach(feed);
  return messages;
}

describe("createParser", () => {
  it("reads a message that came in pieces", () => {
    expect(parse("id: 7\nev", "ent: plan.changed\nda", 'ta: {"a":1}\n', "\n")).toEqual([
      { id: "7", event: "plan.changed", data: '{"a":1}' },
    ]);
  });
  it("joins data lines and skips comments", () => {
    expect(parse(": heartbeat\n\ndata: a\r\ndata: b\r\n\r\n")).toEqual([
      { id: undefined, event: "message", data: "a\nb" },
    ]);
  });
});

function answer(text: string): Response {
  return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
}

describe("openEventStream", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("reconnects with the last event's id and says that there was a gap", async () => {
    const asked: (string | undefined)[] = [];
    vi.stubGlobal("fetch", (_path: string, init: { headers: Record<string, string> }) => {
      asked.push(init.headers["Last-Event-ID"]);
      return Promise.resolve(answer("id: 41\ndata: x\n\n"));
    });
    const opened: boolean[] = [];
    const lost = vi.fn();
    const stream = openEventStream("/api/v1/events", {
      onMessage: vi.fn(),
      onOpen: (gap) => opened.push(gap),
      onLost: lost,
    });
    await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(600);
    await vi.waitFor(() => expect(opened).toEqual([false, true]));
    expect(asked).toEqual([undefined, "41"]);
    stream.stop();
  });

  it("reconnects after a planned end without reporting a loss", async () => {
    const asked: (string | undefined)[] = [];
    let close: () => void = () => undefined;
    vi.stubGlobal("fetch", (_path: string, init: { headers: Record<string, string> }) => {
      asked.push(init.headers["Last-Event-ID"]);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("id: 7\ndata: x\n\n"));
          close = () => controller.close();
        },
      });
      return Promise.resolve(new Response(body));
    });
    const opened: boolean[] = [];
    const onMessage = vi.fn<(message: StreamMessage) => void>();
    const onLost = vi.fn<(status: number | undefined) => void>();
    const stream = openEventStream("/api/v1/events", { onMessage, onOpen: (gap) => opened.push(gap), onLost });
    await vi.waitFor(() => expect(onMessage).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(10_000);
    close();
    await vi.waitFor(() => expect(asked).toEqual([undefined, "7"]));
    await vi.waitFor(() => expect(opened).toEqual([false, false]));
    expect(onLost).not.toHaveBeenCalled();
    stream.stop();
  });

  it("reports the status of a rejection", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 401 })));
    const lost = vi.fn();
    const stream = openEventStream("/api/v1/events", { onMessage: vi.fn(), onOpen: vi.fn(), onLost: lost });
    await vi.waitFor(() => expect(lost).toHaveBeenCalledWith(401));
    stream.stop();
  });
});
