/** One function per API operation, named as the API names them. The only module that knows paths. */
import { apiFetch, isStatus, upload } from "./http";
import { ProblemError } from "./problem";
import type * as T from "./types";

const PAGE_CAP = 40;

async function send(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Response> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": contentType };
  }
  return apiFetch(new Request(new URL(path, location.origin), init));
}
async function get<R>(path: string): Promise<R> {
  return (await (await send("GET", path)).json()) as R;
}
async function post<R>(path: string, body: unknown): Promise<R> {
  return (await (await send("POST", path, body)).json()) as R;
}

/** The id at the end of `Location`, which names what a 202 started. */
function locationId(response: Response): string {
  const location = response.headers.get("Location");
  const id = location?.split("/").findLast((part) => part !== "");
  if (!id) throw new ProblemError({ status: 500, title: "No Location in the answer", detail: response.url });
  return id;
}

export function nextPage(link: string | null): string | undefined {
  const match = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? "");
  if (!match?.[1]) return undefined;
  const url = new URL(match[1], location.origin);
  return url.pathname + url.search;
}

/** Follows `Link: rel="next"` to the end (SOL013 clause 5.4); the cap keeps a runaway server from filling the tab. */
async function list<R>(path: string): Promise<R[]> {
  const rows: R[] = [];
  let next: string | undefined = path;
  for (let page = 0; next !== undefined && page < PAGE_CAP; page += 1) {
    const response = await send("GET", next);
    const body = (await response.json()) as R[] | { results: R[] };
    rows.push(...(Array.isArray(body) ? body : body.results));
    next = nextPage(response.headers.get("Link"));
  }
  return rows;
}
const filter = (expression: string) => `?filter=${encodeURIComponent(expression)}`;
const seg = encodeURIComponent;

// ---- session ----
export async function sessionGet(): Promise<T.Session | null> {
  try {
    return await get<T.Session>("/api/v1/session");
  } catch (error) {
    if (isStatus(error, 401) || isStatus(error, 403)) return null;
    throw error;
  }
}
export const sessionCreate = (username: string, password: string) =>
  post<T.Session>("/api/v1/session", { username, password });
export const sessionDelete = () => send("DELETE", "/api/v1/session");

// ---- catalog ----
const PKG = "/vnfpkgm/v1/vnf_packages";
export const vnfPackageList = () => list<T.VnfPackage>(PKG);
export const vnfPackageView = (id: string) => get<T.VnfPackage>(`${PKG}/${seg(id)}`);
export const vnfPackageCreate = () => post<T.VnfPackage>(PKG, {});
export const vnfPackageDelete = (id: string) => send("DELETE", `${PKG}/${seg(id)}`);
export const vnfPackageSetState = (id: string, operationalState: "ENABLED" | "DISABLED") =>
  send("PATCH", `${PKG}/${seg(id)}`, { operationalState }, "application/merge-patch+json");
export const vnfPackageUpload = (id: string, file: Blob, onProgress: (share: number) => void) =>
  upload(`${PKG}/${seg(id)}/package_content`, file, onProgress);
export const vnfdList = () => list<T.Vnfd>("/api/v1/vnfds");
export const vnfdView = (vnfdId: string) => get<T.Vnfd>(`/api/v1/vnfds/${seg(vnfdId)}`);

// ---- VIMs ----
const VIM = "/api/v1/vims";
export const vimList = () => list<T.Vim>(VIM);
export const vimView = (id: string) => get<T.Vim>(`${VIM}/${seg(id)}`);
export const vimResources = (id: string) => get<T.VimResources>(`${VIM}/${seg(id)}/resources`);
export const vimCreate = (input: T.VimInput) => post<T.Vim>(VIM, input);
export const vimUpdate = async (id: string, input: Partial<T.VimInput>) =>
  (await (await send("PATCH", `${VIM}/${seg(id)}`, input)).json()) as T.Vim;
export const vimDelete = (id: string) => send("DELETE", `${VIM}/${seg(id)}`);
export const vimProbe = (id: string) => send("POST", `${VIM}/${seg(id)}/probe`, {});

// ---- plan previews ----
export const planCreate = async (input: T.PlanInput) => locationId(await send("POST", "/api/v1/plans", input));
export const planView = (id: string) => get<T.Plan>(`/api/v1/plans/${seg(id)}`);

// ---- lifecycle ----
const VNF = "/vnflcm/v2/vnf_instances";
const OCC = "/vnflcm/v2/vnf_lcm_op_occs";
export const vnfInstanceList = () => list<T.VnfInstanceSummary>(VNF);
export const vnfInstanceSummary = (id: string) => get<T.VnfInstanceSummary>(`${VNF}/${seg(id)}`);
export const vnfInstanceView = (id: string) => get<T.VnfInstance>(`/api/v1/vnf_instances/${seg(id)}`);
export const vnfInstanceCreate = (input: {
  vnfdId: string;
  vnfInstanceName: string;
  vnfInstanceDescription?: string;
}) => post<T.VnfInstanceSummary>(VNF, input);
export const vnfInstanceDelete = (id: string) => send("DELETE", `${VNF}/${seg(id)}`);
export const vnfInstanceInstantiate = async (id: string, request: T.InstantiateRequest) =>
  locationId(await send("POST", `${VNF}/${seg(id)}/instantiate`, request));
export const vnfInstanceScale = async (id: string, request: T.ScaleRequest) =>
  locationId(await send("POST", `${VNF}/${seg(id)}/scale`, request));
export const vnfInstanceScaleToLevel = async (id: string, request: T.ScaleToLevelRequest) =>
  locationId(await send("POST", `${VNF}/${seg(id)}/scale_to_level`, request));
export const vnfInstanceTerminate = async (id: string, request: T.TerminateRequest) =>
  locationId(await send("POST", `${VNF}/${seg(id)}/terminate`, request));

export const opOccList = () => list<T.OpOccSummary>(OCC);
export const opOccListOf = (vnfInstanceId: string) =>
  list<T.OpOccSummary>(OCC + filter(`(eq,vnfInstanceId,${vnfInstanceId})`));
export const opOccListRunning = () =>
  list<T.OpOccSummary>(OCC + filter("(in,operationState,STARTING,PROCESSING,ROLLING_BACK)"));
export const opOccView = (id: string) => get<T.OpOcc>(`/api/v1/vnf_lcm_op_occs/${seg(id)}`);
export const opOccAct = (id: string, action: "retry" | "rollback" | "fail") =>
  send("POST", `${OCC}/${seg(id)}/${action}`);

// ---- faults ----
const ALARM = "/vnffm/v1/alarms";
export const alarmList = () => list<T.Alarm>(ALARM);
export const alarmAck = (id: string, ackState: T.Alarm["ackState"]) =>
  send("PATCH", `${ALARM}/${seg(id)}`, { ackState }, "application/merge-patch+json");
