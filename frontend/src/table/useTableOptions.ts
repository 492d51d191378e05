import { useMemo, useSyncExternalStore } from "react";
import { useStored } from "@/ui/stored";

type Density = "compact" | "comfortable";
const densityOf = (found: unknown): Density => (found === "comfortable" ? "comfortable" : "compact");
const titlesOf = (found: unknown): string[] | undefined =>
  Array.isArray(found) ? found.filter((each): each is string => typeof each === "string") : undefined;

/** This browser keeps the row height of all lists; by default a row has one line. */
export const useDensity = () => useStored<Density>("vnfm.rows", densityOf);

interface Titled {
  title: string;
  isName?: boolean;
  /** The column is hidden unless the user wants it. */
  isOptional?: boolean;
  /** An optional column is shown from this width of the window on, in pixels. */
  from?: number;
}

function onResize(change: () => void): () => void {
  globalThis.addEventListener("resize", change);
  return () => globalThis.removeEventListener("resize", change);
}
const isHiddenByWidth = ({ isOptional, from = Infinity }: Titled): boolean =>
  isOptional === true && globalThis.innerWidth < from;

/** The column that names the row cannot be hidden. */
export function useColumns<C extends Titled>(list: string, columns: readonly C[]) {
  const [stored, keep] = useStored<string[] | undefined>(`vnfm.columns.${list}`, titlesOf);
  const titles = () => columns.filter(isHiddenByWidth).map(({ title }) => title);
  const byWidth = useSyncExternalStore(onResize, () => titles().join("\n"));
  const hidden = useMemo(() => stored ?? byWidth.split("\n"), [stored, byWidth]);
  // A new array would render all cells again, so this one changes only with its contents.
  const shown = useMemo(
    () => columns.filter(({ title, isName }) => isName === true || !hidden.includes(title)),
    [hidden, columns],
  );
  return {
    shown,
    isShown: (title: string) => !hidden.includes(title),
    toggle: (title: string) =>
      keep(hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title]),
  };
}
