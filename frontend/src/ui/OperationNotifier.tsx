import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { pb } from "@/paths";
import { plural } from "./format";
import { OPERATION, OPERATION_STATE, lookOf } from "./states";
import { useToast, type Toast } from "./toasts";
import { opOccView, vnfInstanceSummary } from "@/api/calls";
import { q } from "@/api/queries";
import type { OpOccSummary } from "@/api/types";

const ONE_BY_ONE = 3;
const VARIANT: Partial<Record<OpOccSummary["operationState"], Toast["variant"]>> = {
  COMPLETED: "success",
  ROLLED_BACK: "info",
  FAILED_TEMP: "warning",
  FAILED: "danger",
};

function toastOf(occ: OpOccSummary, name: string): Toast | undefined {
  const variant = VARIANT[occ.operationState];
  if (!variant) return undefined;
  const what = OPERATION[occ.operation] ?? occ.operation;
  return {
    variant,
    title: `${what} ${name}: ${lookOf(OPERATION_STATE, occ.operationState).text.toLowerCase()}`,
    body: occ.error?.detail,
    link: <Link to={pb.operation(occ.vnfInstanceId, occ.id)}>Show the operation</Link>,
  };
}

/** Watches the list of running operations; one that has left it is told about. Many at once are told as a number. */
export function OperationNotifier() {
  const toast = useToast();
  const { data: running } = useQuery(q.opOccsRunning());
  const before = useRef<ReadonlySet<string>>(new Set());

  useEffect(() => {
    if (!running) return;
    const present = new Set(running.map((occ) => occ.id));
    const gone = [...before.current].filter((id) => !present.has(id));
    before.current = present;
    if (gone.length > ONE_BY_ONE) {
      toast({ variant: "info", title: `${plural(gone.length, "operation")} finished` });
      return;
    }
    for (const id of gone) {
      void opOccView(id)
        .then(async (occ) => {
          const summary = await vnfInstanceSummary(occ.vnfInstanceId).catch(() => undefined);
          const message = toastOf(occ, summary?.vnfInstanceName ?? "VNF instance");
          if (message) toast(message);
        })
        .catch(() => undefined); // deleted with its instance: nothing to tell
    }
  }, [running, toast]);
  return null;
}
