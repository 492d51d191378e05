import { createHash } from "node:crypto";
import { packageLinks, packageOf } from "./db";
import { newId } from "./util";
import { json, none, notFound, problem, type Context } from "./http";
import { descriptorOf, findingsIn, onCloud, reportOf, uploadOf, type Upload } from "./uploads";
import type { Route } from "./routes";
import type * as T from "../src/api/types";

const PKG = "/vnfpkgm/v2/vnf_packages";
const PROCESSING_SECONDS = 2;

const packages: Route[] = [
  ["GET", new RegExp(`^${PKG}$`), ({ db }) => json(db.packages)],
  [
    "POST",
    new RegExp(`^${PKG}$`),
    ({ db }) => {
      const created: T.VnfPackage = {
        id: newId(),
        onboardingState: "CREATED",
        operationalState: "DISABLED",
        usageState: "NOT_IN_USE",
        _links: packageLinks,
      };
      db.packages.push(created);
      return json(created, 201);
    },
  ],
  [
    "GET",
    new RegExp(`^${PKG}/([^/]+)$`),
    ({ db, params }) => {
      const found = db.packages.find((each) => each.id === params[0]);
      return found ? json(found) : notFound("VNF package");
    },
  ],
  [
    "DELETE",
    new RegExp(`^${PKG}/([^/]+)$`),
    ({ db, params, emit }) => {
      const found = db.packages.find((each) => each.id === params[0]);
      if (found?.operationalState === "ENABLED") {
        return problem(409, "Conflict", "The package is enabled.", { nextStep: "Disable it first." });
      }
      if (found?.usageState === "IN_USE") {
        return problem(409, "Conflict", "VNF instances use the package.", {
          nextStep: "Delete these instances first.",
        });
      }
      db.packages = db.packages.filter((each) => each.id !== params[0]);
      emit("vnf_package.changed", params[0] ?? "");
      return none();
    },
  ],
  [
    "PATCH",
    new RegExp(`^${PKG}/([^/]+)$`),
    ({ db, params, body, emit }) => {
      const found = db.packages.find((each) => each.id === params[0]);
      if (!found) return notFound("VNF package");
      Object.assign(found, body);
      emit("vnf_package.changed", found.id);
      return json(body);
    },
  ],
];

const says = (upload: Upload, word: string): boolean => Object.values(upload.files).some((text) => text.includes(word));

/** A file that contains FAILS makes the processing fail; one that contains STALLS keeps it from ending. */
function processed(pkg: T.VnfPackage, upload: Upload, { db, emit }: Context): void {
  if (says(upload, "FAILS")) {
    pkg.onboardingState = "ERROR";
    pkg.onboardingFailureDetails = {
      ...{ status: 422, title: "The VNF package is refused", code: "MANIFEST_MISMATCH" },
      ...{ detail: "MANIFEST.json: base.yaml has another checksum.", nextStep: "Regenerate the manifest." },
    };
  } else {
    const vnfd: T.Vnfd = { ...descriptorOf(upload), vnfdId: newId(), packageId: pkg.id };
    db.vnfds.push(vnfd);
    db.files.set(pkg.id, { "vnfd.yaml": upload.vnfd, ...upload.files });
    Object.assign(pkg, packageOf(vnfd, "NOT_IN_USE"));
  }
  emit("vnf_package.changed", pkg.id);
}

const content: Route = [
  "PUT",
  new RegExp(`^${PKG}/([^/]+)/package_content$`),
  async (context) => {
    const { db, params, body, emit, later, url } = context;
    const pkg = db.packages.find((each) => each.id === params[0]);
    if (!pkg) return notFound("VNF package");
    const upload = await uploadOf(body);
    if (upload instanceof Response) return upload;
    if (says(upload, "STALLS")) return new Promise(() => undefined);
    const allowed = url.searchParams.getAll("fetch");
    const validationReport = findingsIn(upload, url.searchParams.get("root") ?? "").filter(
      (each) => each.severity === "error" && !allowed.includes(each.url ?? ""),
    );
    const [first] = validationReport;
    if (first) return problem(422, "The VNF package is refused", first.message, { code: first.code, validationReport });
    pkg.onboardingState = "PROCESSING";
    emit("vnf_package.changed", pkg.id);
    later(PROCESSING_SECONDS, () => processed(pkg, upload, context));
    return none(202);
  },
];

const fetched: Route = [
  "POST",
  new RegExp(`^${PKG}/([^/]+)/package_content/upload_from_uri$`),
  ({ db, params, body, emit, url }) => {
    const { addressInformation } = body as T.PackageSource;
    if (!addressInformation.startsWith("https://")) {
      return problem(400, "Bad request", "The address is not one that may be called.", {
        code: "ADDRESS_REFUSED",
        errors: [{ field: "/addressInformation", message: "Give an https URL." }],
      });
    }
    const pkg = db.packages.find((each) => each.id === params[0]);
    if (!pkg) return notFound("VNF package");
    pkg.onboardingState = "ERROR";
    if (addressInformation.endsWith("/two.zip") && !url.searchParams.get("root")) {
      const refused = {
        status: 422,
        title: "The VNF package is refused",
        code: "HOT_INVALID",
        nextStep: "Choose one.",
      };
      const rootCandidates = ["core.yaml", "edge.yaml"];
      pkg.onboardingFailureDetails = { ...refused, detail: "Each could be the root template.", ...{ rootCandidates } };
      emit("vnf_package.changed", pkg.id);
      return none(202);
    }
    const details = { status: 422, title: "The VNF package cannot be fetched", code: "SOURCE_UNREACHABLE" };
    pkg.onboardingFailureDetails = { ...details, detail: "Nothing answers there.", nextStep: "Correct the address." };
    emit("vnf_package.changed", pkg.id);
    return none(202);
  },
];

const fileOf = ({ db, params: [id = "", path = ""] }: Context): string | undefined => db.files.get(id)?.[path];

const vimOf = ({ db, url }: Pick<Context, "db" | "url">) =>
  db.vims.find(({ id }) => id === url.searchParams.get("vimId"));

const validationRoutes: Route[] = [
  [
    "POST",
    /^\/api\/v1\/packages\/validate$/,
    async ({ body, ...context }) => {
      const upload = await uploadOf(body);
      if (upload instanceof Response) return upload;
      const known = new Map(context.db.vnfds.map(({ vnfdId, packageId }) => [vnfdId, packageId]));
      const report = reportOf(upload, context.url.searchParams.get("root") ?? "", known);
      return json(onCloud(report, vimOf(context)));
    },
  ],
  [
    "POST",
    /^\/api\/v1\/packages\/derive$/,
    async ({ body }) => {
      const upload = await uploadOf(body);
      if (upload instanceof Response) return upload;
      const paths = Object.keys(upload.files);
      const own = paths.some((path) => path === "vnfd.yaml" || path === "package.zip");
      const files = paths.map((path) => ({ path, size: upload.files[path]?.length ?? 0, derived: false }));
      return json({ vnfd: own ? "" : upload.vnfd, files, validationReport: findingsIn(upload) });
    },
  ],
  [
    "GET",
    /^\/api\/v1\/packages\/([^/]+)\/validation$/,
    ({ db, params, url }) => {
      const vnfd = db.vnfds.find((each) => each.packageId === params[0]);
      if (!vnfd) return notFound("VNF package");
      const where = { severity: "warning", file: "base.yaml", pointer: "/parameters/mgmt_net" } as const;
      const unused: T.Finding = { ...where, code: "PARAMETER_UNUSED", line: 12, message: "No resource uses it." };
      const levels = vnfd.flavours.flatMap((flavour) =>
        flavour.instantiationLevels.map((level) => ({
          ...{ flavourId: flavour.id, instantiationLevelId: level.id, instances: 3, vcpus: 12, memoryMib: 24_576 },
          ...{ diskGib: 30, ports: 10, networks: 2, sriovPorts: 2 },
        })),
      );
      return json(
        onCloud(
          {
            valid: true,
            validationReport: [unused],
            quota: levels,
            rootCandidates: [],
            missingFiles: [],
            onboardedPackageId: "",
            vnfd,
          },
          vimOf({ db, url }),
        ),
      );
    },
  ],
  [
    "GET",
    /^\/api\/v1\/packages\/([^/]+)\/files$/,
    ({ db, params }) => {
      const files = Object.entries(db.files.get(params[0] ?? "") ?? {}).sort(([a], [b]) => a.localeCompare(b));
      const sum = (text: string) => createHash("sha256").update(text).digest("hex");
      return json(files.map(([path, text]) => ({ path, size: text.length, sha256: sum(text) })));
    },
  ],
  [
    "GET",
    new RegExp(`^${PKG}/([^/]+)/artifacts/(.+)$`),
    (context) => {
      const text = fileOf(context);
      return text === undefined ? notFound("file in the package") : new Response(text);
    },
  ],
];

const archive = ({ db, params }: Context): Response =>
  db.packages.some(({ id }) => id === params[0])
    ? new Response("PK", { headers: { "Content-Type": "application/zip" } })
    : notFound("VNF package");
const downloads: Route[] = [
  ["GET", new RegExp(`^${PKG}/([^/]+)/package_content$`), archive],
  ["GET", /^\/api\/v1\/packages\/([^/]+)\/csar$/, archive],
];

const vnfds: Route[] = [
  ["GET", /^\/api\/v1\/vnfds$/, ({ db }) => json(db.vnfds.filter(({ packageId }) => isEnabled(db, packageId)))],
  [
    "GET",
    /^\/api\/v1\/vnfds\/([^/]+)$/,
    ({ db, params }) => {
      const found = db.vnfds.find((each) => each.vnfdId === params[0]);
      return found ? json(found) : notFound("VNFD");
    },
  ],
];

const isEnabled = (db: Context["db"], packageId: string): boolean =>
  db.packages.some((each) => each.id === packageId && each.operationalState === "ENABLED");

export const catalog: Route[] = [...packages, content, fetched, ...downloads, ...validationRoutes, ...vnfds];
