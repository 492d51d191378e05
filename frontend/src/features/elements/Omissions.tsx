import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { ElementOmission, NetworkElement } from "@/api/types";
import { LoadedRows } from "@/ui/LoadedRows";
import { Since } from "@/ui/Time";

function Line({ omission: { table, index, reason, unread, since } }: { omission: ElementOmission }) {
  return (
    <li>
      {!unread && <code>{index ? `${table}.${index}` : table}</code>} {reason}{" "}
      <span className="vm-quiet">
        <Trans>
          since <Since at={since} />
        </Trans>
      </span>
    </li>
  );
}

/** Lists values of the element that are not shown as they were read, with the reason. */
export function Omissions({ element }: { element: NetworkElement }) {
  const count = element.omissionCount;
  const query = useQuery({ ...q.omissions(element.id), enabled: count > 0 });
  if (count === 0) return null;
  const title = plural(count, {
    one: "Not shown as read: # row or table",
    other: "Not shown as read: # rows and tables",
  });
  return (
    <Alert
      isInline
      isExpandable
      variant={element.staleParts.length > 0 ? "warning" : "info"}
      component="h2"
      className="vm-alert"
      title={title}
      toggleAriaLabel={title}
    >
      <LoadedRows query={query} loading={t`Loading what is not shown…`} none={null}>
        {(lines) => (
          <ul>
            {lines.map((omission) => (
              <Line key={`${omission.table} ${omission.index} ${omission.reason}`} omission={omission} />
            ))}
          </ul>
        )}
      </LoadedRows>
    </Alert>
  );
}
