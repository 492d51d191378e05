import { t } from "@lingui/core/macro";
import { Link } from "react-router";
import type { Look } from "@/ui/states";
import { Panel } from "@/ui/Panel";
import { number } from "@/ui/format";

export interface Count {
  look: Look;
  value: number;
  /** Leads to the list of the objects in this state. */
  to: string;
}
interface Props {
  title: string;
  /** Text of the total, which leads to the whole list. */
  total: string;
  to: string;
  counts: readonly Count[];
  note?: string;
}

function Line({ look, value, to }: Count) {
  const Icon = look.icon;
  const lit = value > 0 ? ` vm-color-${look.color}` : " vm-quiet";
  const words = (
    <>
      <span className={`vm-state-icon${lit}`}>
        <Icon />
      </span>
      <span className="vm-tally-number">{number(value)}</span> {look.text.toLowerCase()}
    </>
  );
  return <li className={value > 0 ? "" : "vm-quiet"}>{value > 0 ? <Link to={to}>{words}</Link> : words}</li>;
}

export function StateCounts({ title, total, to, counts, note }: Props) {
  return (
    <Panel title={title} actions={<Link to={to}>{total}</Link>}>
      <ul className="vm-tally" aria-label={t`${title} by state`}>
        {counts.map((count) => (
          <Line key={count.look.text} {...count} />
        ))}
      </ul>
      {note && <p className="vm-quiet">{note}</p>}
    </Panel>
  );
}
