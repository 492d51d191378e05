import { useQueryClient } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { setConnection, setRetry } from "./connection";
import { openEventStream } from "./eventStream";
import { createInvalidator, parseChange, refetchAll } from "./live";
import { frameKeys } from "./frame";
import { keys } from "./keys";

const EVENTS = "/api/v1/events";
const FALLBACK_POLL_MS = 20_000;

export function LiveProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  useEffect(() => {
    const invalidator = createInvalidator(client);
    let poll: ReturnType<typeof setInterval> | undefined;

    const stream = openEventStream(EVENTS, {
      onMessage(message) {
        // After a reset the server cannot say which events were missed.
        if (message.event === "reset") refetchAll(client);
        const change = parseChange(message);
        if (change) invalidator.on(change);
      },
      onOpen(gap) {
        clearInterval(poll);
        poll = undefined;
        setConnection({ state: "live" });
        if (gap) refetchAll(client);
      },
      onLost(status) {
        setConnection({ state: "lost", since: new Date().toISOString() });
        if (status === 401) client.setQueryData(keys.session, null);
        // The stream may be cut while requests still work.
        void client.invalidateQueries({ queryKey: frameKeys.readiness });
        poll ??= setInterval(() => refetchAll(client), FALLBACK_POLL_MS);
      },
    });
    setRetry(stream.retryNow);
    return () => {
      stream.stop();
      invalidator.stop();
      clearInterval(poll);
      setConnection({ state: "connecting" });
    };
  }, [client]);
  return children;
}
