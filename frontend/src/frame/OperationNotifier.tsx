import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { pb } from "@/paths";
import { operationText } from "@/ui/operationText";
import { OPERATION_STATE, lookOf } from "@/ui/states";
import { useToast, type Toast } from "@/ui/toasts";
import { opOccView } from "@/api/calls";
import { q } from "@/api/queries";
import type { OpOcc } from "@/api/types";

const ONE_BY_ONE = 3;
const VARIANT: Partial<Record<OpOcc["operationState"], Toast["variant"]>> = {
  COMPLETED: "success",
  ROLLED_BACK: "info",
  FAILED_TEMP: "warning",
  FAILED: "danger",
};

function toastOf(occ: OpOcc): Toast | undefined {
  const variant = VARIANT[occ.operationState];
  if (!variant) return undefined;
  const what = operationText(occ);
  return {
    variant,
    title: t`${what} ${occ.vnfInstanceName}: ${lookOf(OPERATION_STATE, occ.operationState).text.toLowerCase()}`,
    body: occ.error?.detail,
    link: (
      <Link to={pb.operation(occ.vnfInstanceId, occ.id)}>
        <Trans>Show the operation</Trans>
      </Link>
    ),
  };
}

/** Several operations that end together share one toast. */
export function OperationNotifier() {
  const toast = useToast();
  const { data: open } = useQuery(q.opOccsOpen());
  const before = useRef<ReadonlySet<string>>(new Set());

  useEffect(() => {
    if (!open) return;
    const present = new Set(open.filter((occ) => occ.operationState !== "FAILED_TEMP").map((occ) => occ.id));
    const gone = [...before.current].filter((id) => !present.has(id));
    before.current = present;
    if (gone.length > ONE_BY_ONE) {
      toast({
        variant: "info",
        title: t`${plural(gone.length, { one: "# operation", other: "# operations" })} finished`,
      });
      return;
    }
    for (const id of gone) {
      void opOccView(id)
        .then((occ) => {
          const message = toastOf(occ);
          if (message) toast(message);
        })
        .catch(() => undefined); // The operation was deleted with its instance.
    }
  }, [open, toast]);
  return null;
}
