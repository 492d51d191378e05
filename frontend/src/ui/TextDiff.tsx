import { t } from "@lingui/core/macro";
import { Plural } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useMemo, useState } from "react";
import { folded, sideBySide, type DiffRow, type Side, type Stretch } from "./diffRows";

function Half({ side, kind }: { side: Side | undefined; kind: "" | "gone" | "came" }) {
  return (
    <>
      <td className="vm-diff-line">{side?.line}</td>
      <td className={`vm-diff-text${kind && side ? ` vm-diff-${kind}` : ""}`}>
        {kind && side && <span className="pf-v6-u-screen-reader">{kind === "gone" ? t`Removed: ` : t`Added: `}</span>}
        {side?.text}
      </td>
    </>
  );
}

function Row({ row }: { row: DiffRow }) {
  return (
    <tr>
      <Half side={row.left} kind={row.same ? "" : "gone"} />
      <Half side={row.right} kind={row.same ? "" : "came"} />
    </tr>
  );
}

function Part({ stretch }: { stretch: Stretch }) {
  const [open, setOpen] = useState(!stretch.folded);
  if (open) return stretch.rows.map((row) => <Row key={`${row.left?.line} ${row.right?.line}`} row={row} />);
  return (
    <tr className="vm-diff-fold">
      <td colSpan={4}>
        <Button variant="link" isInline size="sm" onClick={() => setOpen(true)}>
          <Plural value={stretch.rows.length} one="Show # equal line" other="Show # equal lines" />
        </Button>
      </td>
    </tr>
  );
}

interface Props {
  before: { title: string; text: string };
  after: { title: string; text: string };
}

/** Equal lines far from any change are folded. */
export default function TextDiff({ before, after }: Props) {
  const stretches = useMemo(() => folded(sideBySide(before.text, after.text)), [before.text, after.text]);
  return (
    <table className="vm-diff" aria-label={t`Differences by lines`}>
      <colgroup>
        <col className="vm-diff-line" />
        <col />
        <col className="vm-diff-line" />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th colSpan={2} scope="colgroup">
            {before.title}
          </th>
          <th colSpan={2} scope="colgroup">
            {after.title}
          </th>
        </tr>
      </thead>
      <tbody>
        {stretches.map((stretch, index) => (
          <Part key={index} stretch={stretch} />
        ))}
      </tbody>
    </table>
  );
}
