import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { vnfInstanceTask } from "@/api/calls";
import { newIdempotencyKey } from "@/api/http";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import type { VnfInstance } from "@/api/types";
import type { BulkOperation, BulkRequest } from "./bulkPlan";
import type { Started, StartedLine } from "./BulkProgress";

/** Each operation is for the version of its instance that was planned; a refusal does not stop the others. */
export function useBulkStart(operation: BulkOperation) {
  const client = useQueryClient();
  const [lines, setLines] = useState<readonly StartedLine[]>([]);
  const [isStarting, setStarting] = useState(false);
  async function begin({ id, version }: VnfInstance, request: BulkRequest): Promise<Started> {
    try {
      return { opOccId: await vnfInstanceTask(id, operation, request, { version, key: newIdempotencyKey() }) };
    } catch (error) {
      return { why: asProblem(error).detail };
    }
  }
  async function start(instances: readonly VnfInstance[], request: BulkRequest): Promise<void> {
    setStarting(true);
    setLines(instances.map(({ id, name }) => ({ id, name, started: undefined })));
    for (const instance of instances) {
      const started = await begin(instance, request);
      setLines((before) => before.map((line) => (line.id === instance.id ? { ...line, started } : line)));
    }
    setStarting(false);
    void client.invalidateQueries({ queryKey: keys.vnfInstances });
    void client.invalidateQueries({ queryKey: keys.opOccs });
  }
  return { lines, isStarting, start };
}
