import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { vnfInstanceTask, type Task } from "@/api/calls";
import { newKey } from "@/api/http";
import { keys, q } from "@/api/queries";
import type { Requests, VnfInstance } from "@/api/types";

/** One key for the same request from the same dialog: asked again after a lost answer, it is not done twice. */
function useWishKey(): (request: string) => string {
  const held = useRef({ request: "", key: "" });
  return (request) => {
    if (held.current.request !== request) held.current = { request, key: newKey() };
    return held.current.key;
  };
}

/** Begins an operation on what the instance was when the dialog opened; `lookAgain` takes its present state instead. */
export function useTask<K extends Task>(instance: VnfInstance, operation: K, onStarted: () => void) {
  const client = useQueryClient();
  const keyOf = useWishKey();
  const [version, setVersion] = useState(instance.version);
  const start = useMutation({
    mutationFn: (request: Requests[K]) =>
      vnfInstanceTask(instance.id, operation, request, { version, key: keyOf(JSON.stringify(request)) }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.vnfInstance(instance.id) });
      void client.invalidateQueries({ queryKey: keys.opOccs });
      onStarted();
    },
  });
  async function lookAgain() {
    const present = await client.query({ ...q.vnfInstance(instance.id), staleTime: 0 });
    setVersion(present.version);
    start.reset();
  }
  return { start, lookAgain };
}
