import type { PackageFile, VnfPackage } from "@/api/types";

type FileChange = "added" | "removed" | "changed" | "same";
export interface ComparedFile {
  path: string;
  change: FileChange;
  before: PackageFile | undefined;
  after: PackageFile | undefined;
}

/** The newest version comes first; the package itself is included. */
export function versionsOf(pkg: VnfPackage, all: readonly VnfPackage[]): VnfPackage[] {
  const text = (each: VnfPackage) => `${each.vnfSoftwareVersion ?? ""} ${each.vnfdVersion ?? ""}`;
  return all
    .filter((each) => each.vnfProductName === pkg.vnfProductName && each.vnfProvider === pkg.vnfProvider)
    .filter((each) => each.onboardingState === "ONBOARDED")
    .sort((a, b) => text(b).localeCompare(text(a), undefined, { numeric: true }));
}

/** Equal files come last. */
export function compareFiles(before: readonly PackageFile[], after: readonly PackageFile[]): ComparedFile[] {
  const old = new Map(before.map((file) => [file.path, file]));
  const now = new Map(after.map((file) => [file.path, file]));
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort((a, b) => a.localeCompare(b));
  const compared = paths.map((path) => {
    const [was, is] = [old.get(path), now.get(path)];
    const change: FileChange = !was ? "added" : !is ? "removed" : was.sha256 === is.sha256 ? "same" : "changed";
    return { path, change, before: was, after: is };
  });
  return [...compared.filter(({ change }) => change !== "same"), ...compared.filter(({ change }) => change === "same")];
}
