import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { NotificationBadge, type NotificationBadgeProps } from "@patternfly/react-core";
import TasksIcon from "@patternfly/react-icons/dist/esm/icons/tasks-icon";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { q } from "@/api/queries";
import type { OpOccSummary } from "@/api/types";
import { useOperationsDrawer } from "@/features/operations/OperationsDrawerState";

const OperationsDrawer = lazy(() => import("./OperationsDrawer"));

function saying(open: readonly OpOccSummary[] | undefined): [string, NotificationBadgeProps["variant"]] {
  if (!open) return [t`Operations: unknown`, "read"];
  const stopped = open.filter(({ operationState }) => operationState === "FAILED_TEMP").length;
  if (open.length === 0) return [t`Operations: none in progress`, "read"];
  const many = open.length;
  return stopped > 0
    ? [
        t`${plural(many, { one: "# operation", other: "# operations" })} in progress, ${plural(stopped, { one: "# of them needs a decision", other: "# of them need a decision" })}`,
        "attention",
      ]
    : [plural(many, { one: "# operation in progress", other: "# operations in progress" }), "unread"];
}

export function OperationsButton() {
  const { shown, open: show, close } = useOperationsDrawer();
  const { data: open } = useQuery(q.opOccsOpen());
  const [name, variant] = saying(open);
  return (
    <>
      <NotificationBadge
        variant={variant}
        icon={<TasksIcon />}
        attentionIcon={<TasksIcon />}
        aria-label={name}
        title={name}
        isExpanded={shown}
        onClick={shown ? close : show}
      >
        <span className="vm-tool-word">
          <Trans>Operations</Trans>
        </span>
        {open && open.length > 0 ? ` ${open.length}` : ""}
      </NotificationBadge>
      <Suspense>{shown && <OperationsDrawer onClose={close} />}</Suspense>
    </>
  );
}
