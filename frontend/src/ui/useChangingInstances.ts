import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { frameQueries } from "@/api/frame";
import { changingLook } from "./operationText";
import { type Look } from "./states";

/** By its id, the state of each VNF instance whose operation has not ended: "Instantiating 4/7". The latest twenty of them. */
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
