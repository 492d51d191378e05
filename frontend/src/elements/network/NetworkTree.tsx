import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useMemo, useState, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { NetworkElement } from "@/api/types";
import { AlarmNumbers } from "@/faults/AlarmNumbers";
import { pb } from "@/paths";
import { useAddress } from "@/ui/address";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { Pending } from "@/ui/Pending";
import { ProblemAlert } from "@/ui/Problem";
import { asProblem } from "@/api/problem";
import { RowTree, type Reach } from "@/ui/RowTree";
import { ELEMENT_STATE, lookOf, siteLook } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { NoElements } from "../ElementList";
import { PartLine } from "../PartLine";
import { useKnown, type Further } from "./known";
import { linesOf, siteKey, type Line } from "./lines";

const OPEN = "open";

/** Where Enter on the line leads. */
function pageOf(line: Line): string | undefined {
  if (line.kind === "site") return pb.elementsAt(siteKey(line.site));
  if (line.kind === "element") return pb.element(line.element.id);
  return line.kind === "part" ? pb.elementPart(line.element.id, line.node.fdn) : undefined;
}

interface NamedProps {
  line: Line;
  reach: Reach;
  quiet?: string;
  children: ReactNode;
}
function Named({ line, reach, quiet, children }: NamedProps) {
  const page = pageOf(line);
  return (
    <>
      <span className="vm-tree-title">
        {page ? (
          <Link to={page} tabIndex={reach}>
            {line.text}
          </Link>
        ) : (
          line.text
        )}
      </span>
      {quiet && <span className="vm-quiet vm-tree-type">{quiet}</span>}
      <span className="vm-tree-state">{children}</span>
    </>
  );
}

function ElementStates({ element: { conditions, state } }: { element: NetworkElement }) {
  const reachable = conditionOf(conditions, "Reachable");
  return (
    <>
      {state !== "MANAGED" && <StateLabel look={lookOf(ELEMENT_STATE, state)} />}
      {reachable && <ConditionBadge condition={reachable} />}
    </>
  );
}

function SiteState({ site }: { site: Parameters<typeof siteLook>[0] }) {
  const look = siteLook(site);
  return look ? <StateLabel look={look} /> : null;
}

interface LineProps {
  line: Line;
  reach: Reach;
  onMore: (of: string, marker: string) => void;
}
function LineContent({ line, reach, onMore }: LineProps) {
  switch (line.kind) {
    case "network":
      return (
        <Named
          line={line}
          reach={reach}
          {...(line.sites ? { quiet: plural(line.sites.elements, { one: "# element", other: "# elements" }) } : {})}
        >
          {line.sites && <SiteState site={line.sites} />}
          <AlarmNumbers
            of={t`the network`}
            numbers={line.numbers}
            to={pb.alarmsOfKind("NETWORK_ELEMENT")}
            reach={reach}
          />
        </Named>
      );
    case "site":
      return (
        <Named line={line} reach={reach} quiet={plural(line.site.elements, { one: "# element", other: "# elements" })}>
          <SiteState site={line.site} />
          <AlarmNumbers of={line.text} numbers={line.site} to={pb.alarmsAtSite(siteKey(line.site))} reach={reach} />
        </Named>
      );
    case "element": {
      const { element, numbers } = line;
      const quiet = [element.chassisType, element.managementAddress].filter(Boolean).join(" · ");
      return (
        <Named line={line} reach={reach} quiet={quiet}>
          <ElementStates element={element} />
          <AlarmNumbers of={element.name} numbers={numbers} to={pb.alarmsFor(element.id)} reach={reach} />
        </Named>
      );
    }
    case "part": {
      const { element, node, numbers } = line;
      const name = (
        <Link to={pageOf(line) ?? ""} tabIndex={reach}>
          {line.text}
        </Link>
      );
      const of = t`${line.text} of ${element.name}`;
      return (
        <PartLine node={node} isOpen={line.isOpen} name={name}>
          <AlarmNumbers of={of} numbers={numbers} to={pb.alarmsIn(element.id, node.fdn)} reach={reach} />
        </PartLine>
      );
    }
    case "more": {
      const { of, marker, shown, all } = line;
      return (
        <>
          <span className="vm-quiet">
            {all === undefined ? (
              <Trans>The first {number(shown)} of more.</Trans>
            ) : (
              <Trans>
                The first {number(shown)} of {number(all)}.
              </Trans>
            )}
          </span>
          <Button variant="link" isInline tabIndex={reach} onClick={() => onMore(of, marker)}>
            <Trans>Show more</Trans>
          </Button>
        </>
      );
    }
    case "problem":
      return (
        <>
          <span className="vm-error-text">
            <Trans>Could not be read: {asProblem(line.error).title}.</Trans>
          </span>
          <Button variant="link" isInline tabIndex={reach} onClick={line.retry}>
            <Trans>Try again</Trans>
          </Button>
        </>
      );
    case "note":
      return <span className="vm-quiet">{line.text}</span>;
  }
}

/** What the address holds of the tree: what is open (or, of what is open at first, closed). */
function useOpen(): [ReadonlySet<string>, (key: string) => void] {
  const [params, ask] = useAddress();
  const asked = params.get(OPEN) ?? "";
  const open = useMemo(() => new Set(asked.split(",").filter(Boolean)), [asked]);
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    // Not a step for each: Back leads to the page before, and from another page to the tree as it was.
    ask({ [OPEN]: [...next].join(",") }, { typing: true });
  };
  return [open, toggle];
}

/** The network as a tree, read level by level as it is opened; each node with the alarms of all that is below it. */
export function NetworkTree({ register }: { register: ReactNode }) {
  const [open, toggle] = useOpen();
  const [further, setFurther] = useState<Further>({});
  const known = useKnown(open, further);
  const navigate = useNavigate();
  const { rows, isReading, problem } = known.sites;
  if (rows.length === 0 && problem) return <ProblemAlert error={problem.error} level="h2" />;
  if (rows.length === 0 && isReading)
    return (
      <Pending>
        <Trans>Reading the sites…</Trans>
      </Pending>
    );
  if (rows.length === 0) return <NoElements register={register} />;
  const more = (of: string, marker: string) =>
    setFurther((before) => ({ ...before, [of]: [...(before[of] ?? []), marker] }));
  const toggled = (line: Line) => {
    if (line.opens !== "") toggle(line.opens);
  };
  function choose(line: Line) {
    if (line.kind === "more") more(line.of, line.marker);
    else if (line.kind === "problem") line.retry();
    else if (line.isOpen !== undefined) toggled(line);
  }
  return (
    <Panel title={t`Network`}>
      <RowTree
        label={t`Network`}
        lines={linesOf(known, open)}
        onToggle={toggled}
        onChoose={choose}
        onEnter={(line) => {
          const page = pageOf(line);
          if (page === undefined) choose(line);
          else void navigate(page);
        }}
        draw={(line, reach) => <LineContent line={line} reach={reach} onMore={more} />}
      />
    </Panel>
  );
}
