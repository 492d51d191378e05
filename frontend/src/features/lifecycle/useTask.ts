import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { vnfInstanceTask, type Task } from "@/api/calls";
import { newIdempotencyKey } from "@/api/http";
import { keys } from "@/api/keys";
import type { PlannedRequests, Requests, VnfInstance } from "@/api/types";

/** Begins what was planned: `send` takes the request that is sent, which may name what is created only now. */
export type Begin<K extends Task> = (
  planned: PlannedRequests[K],
  send: (request: Requests[K]) => Promise<unknown>,
) => Promise<unknown>;

/** One key for the same request from the same dialog: asked again after a lost answer, it is not done twice. */
function useIdempotencyKey(): (request: string) => string {
  const held = useRef({ request: "", key: "" });
  return (request) => {
    if (held.current.request !== request) held.current = { request, key: newIdempotencyKey() };
    return held.current.key;
  };
}

/** Begins an operation, decided on the version of the instance that the page shows; `lookAgain` brings the page up to date. */
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
