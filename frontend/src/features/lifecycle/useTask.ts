import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { vnfInstanceTask, type Task } from "@/api/calls";
import { newIdempotencyKey } from "@/api/http";
import { keys } from "@/api/keys";
import type { PlannedRequests, Requests, VnfInstance } from "@/api/types";

/** `send` adds what is created only when the operation starts, such as a snapshot. */
export type Begin<K extends Task> = (
  planned: PlannedRequests[K],
  send: (request: Requests[K]) => Promise<unknown>,
) => Promise<unknown>;

/** The same request of a dialog keeps its key, so that a repetition after a lost answer does nothing twice. */
function useIdempotencyKey(): (request: string) => string {
  const held = useRef({ request: "", key: "" });
  return (request) => {
    if (held.current.request !== request) held.current = { request, key: newIdempotencyKey() };
    return held.current.key;
  };
}

/** The operation is for the version of the instance on the page; `lookAgain` reads the page again. */
export function useTask<K extends Task>(
  { id, version }: VnfInstance,
  operation: K,
  onStarted: () => void,
  begin: Begin<K> = (planned, send) => send(planned as Requests[K]),
) {
  const client = useQueryClient();
  const keyOf = useIdempotencyKey();
  const start = useMutation({
    mutationFn: (planned: PlannedRequests[K]) =>
      begin(planned, (request) =>
        vnfInstanceTask(id, operation, request, { version, key: keyOf(JSON.stringify(request)) }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.vnfInstance(id) });
      void client.invalidateQueries({ queryKey: keys.opOccs });
      onStarted();
    },
  });
  async function lookAgain() {
    await client.invalidateQueries({ queryKey: keys.vnfInstance(id) });
    start.reset();
  }
  return { start, lookAgain };
}
