/** The address holds what the map shows, so that a link shows the same. */
import { t } from "@lingui/core/macro";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import type { MapQuery, MapScope, MapState, NodeKind } from "@/api/topology";
import type { Severity } from "@/api/types";

export const SCOPES: Record<MapScope, string> = {
  all: t`Everything`,
  elements: t`Sites and elements`,
  clouds: t`Clouds and VNFs`,
  hosts: t`Clouds and hosts`,
};

export interface MapView extends MapQuery {
  view: "map" | "sites" | "list";
  /** The least severity; "" is any. */
  severity: Severity | "";
  state: MapState | "";
  /** Id of the node whose details are open. */
  node: string;
}

const VIEWS: readonly MapView["view"][] = ["map", "sites", "list"];

const listOf = (text: string | null): string[] => (text ? text.split(",").filter(Boolean).sort() : []);

function read(params: URLSearchParams): MapView {
  const scope = params.get("scope") ?? "";
  return {
    scope: scope in SCOPES ? (scope as MapScope) : "all",
    site: params.get("site") ?? "",
    instance: params.get("instance") ?? "",
    kinds: listOf(params.get("kinds")) as NodeKind[],
    expand: listOf(params.get("expand")),
    view: VIEWS.find((view) => view === params.get("view")) ?? "map",
    severity: (params.get("severity") ?? "") as Severity | "",
    state: (params.get("state") ?? "") as MapState | "",
    node: params.get("node") ?? "",
  };
}

export const queryOf = ({ scope, site, instance, kinds, expand }: MapView): MapQuery => ({
  ...{ scope, site, instance, kinds, expand },
});

const DEFAULTS: Partial<Record<keyof MapView, string>> = { scope: "all", view: "map" };

/** Other parameters, such as the state of the list's tables, stay in the address. */
function write(shown: MapView, before: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams(before);
  for (const [name, value] of Object.entries(shown) as [keyof MapView, string | string[]][]) {
    const text = typeof value === "string" ? value : [...value].sort().join(",");
    if (text && text !== DEFAULTS[name]) params.set(name, text);
    else params.delete(name);
  }
  return params;
}

/** The history entry was made by opening the details and nothing else, so going back closes them. */
const OPENED = { opened: true };
const wasOpened = (state: unknown): boolean => (state as Partial<typeof OPENED> | null)?.opened === true;

/** A change that the page makes `byItself` to show its target is not a history entry. */
export type Change = (changed: Partial<MapView>, how?: { byItself: boolean }) => void;

/**
 * Opening details and setting a filter are history entries, so that Back undoes them; moving from one node to
 * another is not.
 */
export function useMapView(): [MapView, Change, close: () => void] {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: unknown };
  const shown = useMemo(() => read(params), [params]);
  const { node } = shown;
  // Going back takes a moment; a second step would leave the page.
  const leaving = useRef(false);
  useEffect(() => {
    leaving.current = false;
  }, [node]);
  const change = useCallback<Change>(
    (changed, { byItself } = { byItself: false }) => {
      const opens = node === "" && Boolean(changed.node);
      const alone = Object.keys(changed).every((name) => name === "node");
      setParams((before) => write({ ...read(before), ...changed }, before), {
        replace: byItself || (alone && !opens),
        preventScrollReset: true,
        state: byItself ? state : alone ? (opens ? OPENED : state) : null,
      });
    },
    [setParams, node, state],
  );
  const close = useCallback(() => {
    if (node === "" || leaving.current) return;
    leaving.current = true;
    if (wasOpened(state)) void navigate(-1);
    else change({ node: "" });
  }, [change, navigate, node, state]);
  return [shown, change, close];
}
