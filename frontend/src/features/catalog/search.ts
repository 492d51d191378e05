import { PAGE } from "@/ui/listView";
import { packageName } from "@/ui/names";
import { stateOf, type PackageState } from "./packageActions";
import { versionText, type Entry } from "./PackageCard";

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

/** Defaults stay out of the address; a changed search starts on the first page. */
export const searchParams = ({ view, text, provider, state }: Partial<Search>): Record<string, string> => ({
  ...(view === undefined ? {} : { view: view === "list" ? view : "" }),
  ...(text === undefined ? {} : { search: text }),
  ...(provider === undefined ? {} : { provider }),
  ...(state === undefined ? {} : { state }),
  [PAGE]: "",
});

export function matchingEntries(entries: readonly Entry[], { text, provider, state }: Search): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ pkg, vnfd }) => {
    const searched = `${packageName(pkg)} ${versionText(pkg)} ${vnfd?.description ?? ""}`.toLowerCase();
    return (
      words.every((word) => searched.includes(word)) &&
      (provider === "" || pkg.vnfProvider === provider) &&
      (state === "" || stateOf(pkg) === state)
    );
  });
}
