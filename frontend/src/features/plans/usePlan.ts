import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { planCreate } from "@/api/calls";
import { q } from "@/api/queries";
import type { Plan, PlanInput } from "@/api/types";

export interface Planning {
  /** The plan is READY or FAILED. */
  plan: Plan | undefined;
  pending: boolean;
  /** The request for the plan failed. */
  error: Error | null;
  again: () => void;
}

/**
 * Requests one plan per input and waits for its end; `undefined` requests nothing. A new `basis`, the version of the
 * subject, makes the plan stale, so it is requested again.
 */
export function usePlan(input: PlanInput | undefined, basis?: number): Planning {
  const [round, setRound] = useState(0);
  const asked = useQuery({
    queryKey: ["plan_request", input, basis, round],
    queryFn: () => (input ? planCreate(input) : Promise.reject(new Error("nothing to plan"))),
    enabled: input !== undefined,
    meta: { once: true },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const id = asked.data;
  const followed = useQuery({ ...q.plan(id ?? ""), enabled: id !== undefined });
  const plan = followed.data?.state === "PENDING" ? undefined : followed.data;
  const error = asked.error ?? (plan ? null : followed.error);
  return {
    plan: id === undefined ? undefined : plan,
    pending: input !== undefined && !plan && !error,
    error,
    again: () => setRound((n) => n + 1),
  };
}
