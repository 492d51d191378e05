/** The contents of uploaded files select the findings, as with the real server. */
import { derivedVnfd } from "./fixtures/files";
import { vsrRr } from "./fixtures/vnfds";
import { problem } from "./http";
import type * as T from "../src/api/types";

export interface Upload {
  /** Keys: path. An archive is not unpacked. */
  files: Record<string, string>;
  vnfd: string;
  /** The mock derived the descriptor from templates. */
  derived: boolean;
}

const isArchive = (path: string): boolean => /\.(zip|csar)$/i.test(path);

/** Returns the refusal of an upload that is not a package. */
export async function uploadOf(body: unknown): Promise<Upload | Response> {
  const files: Record<string, string> = {};
  let vnfd: string | undefined;
  if (typeof body !== "string") {
    for (const [field, value] of (body as FormData).entries()) {
      if (typeof value === "string") vnfd = value;
      else files[field === "file" || field === "files" ? value.name : field] = await value.text();
    }
  } else files["package.zip"] = body;
  if (Object.entries(files).some(([path, text]) => isArchive(path) && !text.startsWith("PK"))) {
    return problem(422, "The VNF package is refused", "The upload is no zip archive.", {
      code: "NOT_A_ZIP",
      nextStep: "Send a zip.",
    });
  }
  const template = Object.keys(files).find((path) => /^[^/]+\.yaml$/.test(path)) ?? "package.yaml";
  const derived = derivedVnfd(template.replace(/\.yaml$/, ""));
  return { files, vnfd: vnfd ?? derived, derived: vnfd === undefined };
}

const finding = (
  severity: T.FindingSeverity,
  code: string,
  file: string,
  line: number,
  message: string,
): T.Finding => ({
  ...{ severity, code, file, line, message, pointer: "" },
});

function lines(text: string, wrong: RegExp, say: (line: number) => T.Finding): T.Finding[] {
  return text.split("\n").flatMap((each, index) => (wrong.test(each) ? [say(index + 1)] : []));
}

/** Template files on the first level can be the root. */
const rootCandidatesIn = (files: Record<string, string>): string[] =>
  Object.keys(files).filter((path) => files[path]?.includes("# a root"));

const missingFilesIn = (files: Record<string, string>): string[] =>
  Object.values(files)
    .flatMap((text) => [...text.matchAll(/get_file: ([\w./-]+)$/gm)].map((match) => match[1] ?? ""))
    .filter((name) => !(name in files) && !name.startsWith("https"));

export function findingsIn({ files, vnfd, derived }: Upload, root = ""): T.Finding[] {
  const inFiles = Object.entries(files).flatMap(([path, text]) => [
    ...lines(text, /OS::Nova::Servr/, (line) =>
      finding(
        "error",
        "TYPE_UNKNOWN",
        path,
        line,
        "Heat knows no resource type OS::Nova::Servr: write OS::Nova::Server.",
      ),
    ),
    ...lines(text, /unused/, (line) =>
      finding("warning", "PARAMETER_UNUSED", path, line, "No resource uses this parameter: remove it, or use it."),
    ),
  ]);
  const outside = Object.entries(files).flatMap(([path, text]) =>
    text.split("\n").flatMap((each, index) => {
      const url = /https:\/\/\S+/.exec(each)?.[0];
      const message = `${url} lies outside of the package. Allow it to be fetched and stored with the package.`;
      return url ? [{ ...finding("error", "FILE_OUTSIDE", path, index + 1, message), url }] : [];
    }),
  );
  const absent = missingFilesIn(files).map((name) =>
    finding("error", "FILE_MISSING", Object.keys(files)[0] ?? "", 0, `The package has no file '${name}'.`),
  );
  const unclear = rootCandidatesIn(files).length > 1 && !root;
  const several = unclear ? [finding("error", "ROOT_UNCLEAR", "", 0, "Each could be the root template.")] : [];
  const inVnfd = lines(vnfd, /\t/, (line) =>
    finding("error", "YAML_INVALID", "vnfd.yaml", line, "A tab cannot indent YAML: use spaces."),
  );
  const identity = "A HOT names neither provider nor versions: correct them before you deploy it.";
  const note = finding("warning", "DERIVE_IDENTITY", Object.keys(files)[0] ?? "", 0, identity);
  return [
    ...outside,
    ...absent,
    ...several,
    ...inFiles,
    ...inVnfd,
    ...(derived && !("package.zip" in files) ? [note] : []),
  ];
}

const searchedText = (vnfd: string, key: string): string =>
  new RegExp(`^${key}: '?([^'\r\n]*)`, "m").exec(vnfd)?.[1] ?? "";

export function descriptorOf({ vnfd }: Upload): Omit<T.Vnfd, "packageId" | "vnfdId"> {
  const { packageId: _packageId, vnfdId: _vnfdId, ...rest } = vsrRr;
  return {
    ...rest,
    provider: searchedText(vnfd, "provider"),
    productName: searchedText(vnfd, "productName"),
    softwareVersion: searchedText(vnfd, "softwareVersion"),
    vnfdVersion: searchedText(vnfd, "vnfdVersion"),
  };
}

/** Keys of `known`: VNFD id. */
export function reportOf(upload: Upload, root: string, known: ReadonlyMap<string, string>): T.PackageReport {
  const validationReport = findingsIn(upload, root);
  const onboardedPackageId = known.get(searchedText(upload.vnfd, "vnfdId")) ?? "";
  if (onboardedPackageId) {
    const message = "The vnfdId is already onboarded: use that package, or give this descriptor another vnfdId.";
    validationReport.unshift(finding("error", "VNFD_ALREADY_ONBOARDED", "vnfd.yaml", 1, message));
  }
  const valid = !validationReport.some((each) => each.severity === "error");
  const vnfd = valid ? { ...descriptorOf(upload), vnfdId: searchedText(upload.vnfd, "vnfdId") } : null;
  return {
    valid,
    validationReport,
    quota: [],
    rootCandidates: rootCandidatesIn(upload.files),
    missingFiles: missingFilesIn(upload.files),
    onboardedPackageId,
    vnfd,
  };
}

/** The Heat of a cloud may add findings of its own. */
export function onCloud(report: T.PackageReport, vim: { name: string } | undefined): T.PackageReport {
  if (!vim) return report;
  const message = "Heat has nothing against the templates.";
  const heard = { ...finding("note", "HEAT_VALIDATES", "", 0, message), speaker: `heat of ${vim.name}` };
  return { ...report, validationReport: [...report.validationReport, heard] };
}
