import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { frameQueries } from "@/api/frame";
import { changingLook } from "./operationText";
import { type Look } from "./states";

/** Keys: id of a VNF instance with a running operation, for the latest twenty operations. */
export function useChangingInstances(): ReadonlyMap<string, Look> {
  const { data } = useQuery(frameQueries.operations());
  return useMemo(
    () =>
      new Map(
        data?.open.map((line) => [line.vnfInstanceId, changingLook(line, { done: line.stepsDone, all: line.steps })]),
      ),
    [data],
  );
}
