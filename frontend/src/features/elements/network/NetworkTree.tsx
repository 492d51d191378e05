import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button } from "@patternfly/react-core";
import { useMemo, type ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import type { NetworkElement } from "@/api/types";
import { AlarmNumbers } from "@/features/faults/AlarmNumbers";
import { pb } from "@/paths";
import { useAddress } from "@/ui/address";
import { ConditionBadge, conditionOf } from "@/ui/Conditions";
import { number } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { asProblem } from "@/api/problem";
import { RowTree, type Reach } from "@/ui/RowTree";
import { ELEMENT_STATE, lookOf, siteLook } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { NoElements } from "@/features/elements/ElementList";
import { PartLine } from "@/features/elements/PartLine";
import { useNetworkState, type Pages } from "./networkState";
import { linesOf, siteKey, type Line } from "./treeLines";

const OPEN = "open";
const PAGES = "pages";
/** The text is "id:pages" joined by commas; an invalid number is ignored. */
const pagesIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split(",").flatMap((each) => {
      const [of = "", count] = each.split(":");
      return Number(count) > 1 ? [[of, Math.floor(Number(count))] as const] : [];
    }),
  );

/** Enter on the line opens this page. */
function pageOf(line: Line): string | undefined {
  if (line.kind === "site") return pb.elementsAt(siteKey(line.site));
  if (line.kind === "element") return pb.element(line.element.id);
  return line.kind === "part" ? pb.elementPart(line.element.id, line.node.fdn) : undefined;
}

interface NamedProps {
  line: Line;
  reach: Reach;
  quiet?: string | undefined;
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

interface LineProps<Kind extends Line["kind"] = Line["kind"]> {
  line: Extract<Line, { kind: Kind }>;
  reach: Reach;
}

const elementsText = (elements: number): string => plural(elements, { one: "# element", other: "# elements" });

function NetworkLine({ line, reach }: LineProps<"network">) {
  const { sites, numbers } = line;
  return (
    <Named line={line} reach={reach} quiet={sites && elementsText(sites.elements)}>
      {sites && <SiteState site={sites} />}
      <AlarmNumbers of={t`the network`} numbers={numbers} to={pb.alarmsOfKind("NETWORK_ELEMENT")} reach={reach} />
    </Named>
  );
}

const SiteLine = ({ line, reach }: LineProps<"site">) => (
  <Named line={line} reach={reach} quiet={elementsText(line.site.elements)}>
    <SiteState site={line.site} />
    <AlarmNumbers of={line.text} numbers={line.site} to={pb.alarmsAtSite(siteKey(line.site))} reach={reach} />
  </Named>
);

function ElementLine({ line, reach }: LineProps<"element">) {
  const { element, numbers } = line;
  const quiet = [element.chassisType, element.managementAddress].filter(Boolean).join(" · ");
  return (
    <Named line={line} reach={reach} quiet={quiet}>
      <ElementStates element={element} />
      <AlarmNumbers of={element.name} numbers={numbers} to={pb.alarmsFor(element.id)} reach={reach} />
    </Named>
  );
}

function EquipmentLine({ line, reach }: LineProps<"part">) {
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

function MoreLine({ line: { of, shown, all }, reach, onMore }: LineProps<"more"> & { onMore: (of: string) => void }) {
  return (
    <>
      <span className="vm-quiet">
        {all === undefined
          ? t`The first ${number(shown)}; there are more.`
          : t`The first ${number(shown)} of ${number(all)}.`}
      </span>
      <Button variant="link" isInline tabIndex={reach} onClick={() => onMore(of)}>
        <Trans>Show more</Trans>
      </Button>
    </>
  );
}

const ProblemLine = ({ line: { error, retry }, reach }: LineProps<"problem">) => (
  <>
    <span className="vm-error-text">
      <Trans>Could not be loaded: {asProblem(error).title}.</Trans>
    </span>
    <Button variant="link" isInline tabIndex={reach} onClick={retry}>
      <Trans>Try again</Trans>
    </Button>
  </>
);

function LineContent({ line, reach, onMore }: LineProps & { onMore: (of: string) => void }) {
  switch (line.kind) {
    case "network":
      return <NetworkLine line={line} reach={reach} />;
    case "site":
      return <SiteLine line={line} reach={reach} />;
    case "element":
      return <ElementLine line={line} reach={reach} />;
    case "part":
      return <EquipmentLine line={line} reach={reach} />;
    case "more":
      return <MoreLine line={line} reach={reach} onMore={onMore} />;
    case "problem":
      return <ProblemLine line={line} reach={reach} />;
    case "note":
      return <span className="vm-quiet">{line.text}</span>;
  }
}

/**
 * The address holds which nodes differ from the initial state, and the lists of which more than one page is shown,
 * as "id:pages". These changes replace the history entry: Back leads to the previous page, and from there forward to
 * the tree as it was.
 */
function useTreeAddress() {
  const [params, setAddress] = useAddress();
  const [asked, more] = [params.get(OPEN) ?? "", params.get(PAGES) ?? ""];
  const open = useMemo(() => new Set(asked.split(",").filter(Boolean)), [asked]);
  const pages = useMemo(() => pagesIn(more), [more]);
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setAddress({ [OPEN]: [...next].join(",") }, { typing: true });
  };
  const pagesOf: Pages = (of) => pages.get(of) ?? 1;
  const showMore = (of: string) => {
    const next = new Map(pages).set(of, pagesOf(of) + 1);
    setAddress({ [PAGES]: [...next].map((each) => each.join(":")).join(",") }, { typing: true });
  };
  return { open, toggle, pagesOf, showMore };
}

/** The tree reads each level when its parent is opened; each node counts the alarms of everything below it. */
export function NetworkTree({ register }: { register: ReactNode }) {
  const { open, toggle, pagesOf, showMore } = useTreeAddress();
  const known = useNetworkState(open, pagesOf);
  const navigate = useNavigate();
  const { rows, isReading, problem } = known.sites;
  if (rows.length === 0 && problem) return <ProblemAlert error={problem.error} level="h2" />;
  if (rows.length === 0 && isReading)
    return (
      <LoadingNote>
        <Trans>Loading the sites…</Trans>
      </LoadingNote>
    );
  if (rows.length === 0) return <NoElements register={register} />;
  const toggled = (line: Line) => {
    if (line.opens !== "") toggle(line.opens);
  };
  function choose(line: Line) {
    if (line.kind === "more") showMore(line.of);
    else if (line.kind === "problem") line.retry();
    else if (line.isOpen !== undefined) toggled(line);
  }
  return (
    <Panel title={t`Sites and elements`}>
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
        draw={(line, reach) => <LineContent line={line} reach={reach} onMore={showMore} />}
      />
    </Panel>
  );
}
