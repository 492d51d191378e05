import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { vnfInstanceTask, type Task } from "@/api/calls";
import { newIdempotencyKey } from "@/api/http";
import { keys } from "@/api/keys";
import type { Requests, VnfInstance } from "@/api/types";

/** One key for the same request from the same dialog: asked again after a lost answer, it is not done twice. */
function useIdempotencyKey(): (request: string) => string {
  const held = useRef({ request: "", key: "" });
  return (request) => {
    if (held.current.request !== request) held.current = { request, key: newIdempotencyKey() };
    return held.current.key;
  };
}

/** Begins an operation, decided on the version of the instance that the page shows; `lookAgain` brings the page up to date. */
export function useTask<K extends Task>({ id, version }: VnfInstance, operation: K, onStarted: () => void) {
  const client = useQueryClient();
  const keyOf = useIdempotencyKey();
  const start = useMutation({
    mutationFn: (request: Requests[K]) =>
      vnfInstanceTask(id, operation, request, { version, key: keyOf(JSON.stringify(request)) }),
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
