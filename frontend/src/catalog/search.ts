import { packageName } from "@/ui/names";
import { stateOf, type PackageState } from "./actions";
import { versionText, type Entry } from "./PackageCard";

/** How the catalog is looked at; the address holds it. */
export interface Search {
  view: "cards" | "list";
  text: string;
  provider: string;
  state: PackageState | "";
}

export const searchOf = (params: URLSearchParams): Search => ({
  view: params.get("view") === "list" ? "list" : "cards",
  text: params.get("search") ?? "",
  provider: params.get("provider") ?? "",
  state: (params.get("state") ?? "") as Search["state"],
});

/** What is as by default stays out of the address. */
export function paramsOf({ view, text, provider, state }: Search): Record<string, string> {
  const all = { view: view === "list" ? view : "", search: text, provider, state };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

export function found(entries: readonly Entry[], { text, provider, state }: Search): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ pkg, vnfd }) => {
    const said = `${packageName(pkg)} ${versionText(pkg)} ${vnfd?.description ?? ""}`.toLowerCase();
    return (
      words.every((word) => said.includes(word)) &&
      (provider === "" || pkg.vnfProvider === provider) &&
      (state === "" || stateOf(pkg) === state)
    );
  });
}
