import type { Content } from "@/api/calls";

export interface ChosenFile {
  /** Path in the package. */
  path: string;
  file: File;
}
type Kind = "nothing" | "archive" | "files" | "mixed";

const ARCHIVE = /\.(zip|csar)$/i;

/** Only files of a dropped folder have a path. */
function pathOf(file: File & { path?: string }): string {
  return (file.path || file.webkitRelativePath || file.name).replace(/^[./]*\//, "");
}

/** The path ends with a slash; "" if there is no common folder. */
function commonFolder(paths: readonly string[]): string {
  const top = paths[0]?.split("/")[0] ?? "";
  return paths.every((path) => path.startsWith(`${top}/`)) ? `${top}/` : "";
}

/** A dropped file replaces one with the same path; a folder counts as its contents. */
export function withDropped(before: readonly ChosenFile[], dropped: readonly File[]): ChosenFile[] {
  const folder = commonFolder(dropped.map(pathOf));
  const all = new Map(before.map((each) => [each.path, each]));
  for (const file of dropped) {
    const path = pathOf(file).slice(folder.length);
    all.set(path, { path, file });
  }
  return [...all.values()].sort((a, b) => a.path.localeCompare(b.path));
}

export function kindOf(chosen: readonly ChosenFile[]): Kind {
  const archives = chosen.filter(({ path }) => ARCHIVE.test(path)).length;
  if (chosen.length === 0) return "nothing";
  if (archives === 0) return "files";
  return chosen.length === 1 ? "archive" : "mixed";
}

export const sizeOf = (chosen: readonly ChosenFile[]): number => chosen.reduce((sum, { file }) => sum + file.size, 0);

/**
 * An archive is the body itself. In a form, files of the first level share one field name, and others have their
 * path.
 */
export function contentOf(chosen: readonly ChosenFile[], vnfd?: string): Content {
  const [first] = chosen;
  if (first && kindOf(chosen) === "archive" && vnfd === undefined) return first.file;
  const form = new FormData();
  for (const { path, file } of chosen) {
    form.append(ARCHIVE.test(path) ? "file" : path.includes("/") ? path : "files", file, path.split("/").pop());
  }
  if (vnfd !== undefined) form.append("vnfd", vnfd);
  return form;
}
