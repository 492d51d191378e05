import { plural } from "@lingui/core/macro";
import { Alert } from "@patternfly/react-core";
import type { PlanResource, PlanResult } from "@/api/types";

/** A VNFC that no longer exists is not deleted by the plan. */
export const deletedVnfcs = (result: PlanResult | null | undefined): PlanResource[] =>
  result?.resources.filter(({ action, type, gone }) => action === "delete" && type === "vnfc" && !gone) ?? [];

function Effect({ rows, title }: { rows: PlanResource[]; title: string }) {
  if (rows.length === 0) return null;
  return (
    <Alert isInline variant="danger" component="h3" title={title}>
      {rows.map(({ name }) => name).join("; ")}
    </Alert>
  );
}

/** The worst loss comes first. */
export function Disruptions({ result }: { result: PlanResult }) {
  const of = (action: PlanResource["action"], type: string) =>
    result.resources.filter((each) => each.action === action && each.type === type);
  const [deleted, replaced, networks] = [deletedVnfcs(result), of("replace", "vnfc"), of("delete", "network")];
  return (
    <>
      <Effect
        rows={deleted}
        title={plural(deleted.length, { one: "# VNFC will be deleted", other: "# VNFCs will be deleted" })}
      />
      <Effect
        rows={networks}
        title={plural(networks.length, { one: "# network will be deleted", other: "# networks will be deleted" })}
      />
      <Effect
        rows={replaced}
        title={plural(replaced.length, {
          one: "# VNFC will be recreated as a new server",
          other: "# VNFCs will be recreated as new servers",
        })}
      />
    </>
  );
}
