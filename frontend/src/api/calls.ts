/** One function per API operation, named as the API names them. The only module that knows paths. */
import createClient from "openapi-fetch";
import type { paths } from "./__generated__/schema";
import { apiFetch, decidedOn, isStatus, upload } from "./http";
import { ProblemError } from "./problem";
import type * as T from "./types";

const api = createClient<paths>({ baseUrl: location.origin, fetch: apiFetch });
const MERGE_PATCH = { "Content-Type": "application/merge-patch+json" };

interface Answer {
  data?: unknown;
  response: Response;
}

/** `apiFetch` has thrown whatever was not a success, so there are data; the type names what OpenAPI leaves open. */
async function data<R>(call: Promise<Answer>): Promise<R> {
  return (await call).data as R;
}

/** The id at the end of `Location`, which names what a 202 started. */
async function locationId(call: Promise<Answer>): Promise<string> {
  const { response } = await call;
  const id = response.headers
    .get("Location")
    ?.split("/")
    .findLast((part) => part !== "");
  if (!id) throw new ProblemError({ status: 500, title: "No Location in the answer", detail: response.url });
  return id;
}

export function nextPage(link: string | null): string | undefined {
  const match = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(link ?? "");
  if (!match?.[1]) return undefined;
  const url = new URL(match[1], location.origin);
  return url.pathname + url.search;
}

const PAGE_CAP = 40;

/** Follows `Link: rel="next"` to the end (SOL013 clause 5.4); the cap keeps a runaway server from filling the tab. */
async function all<R>(call: Promise<Answer>): Promise<R[]> {
  const first = await call;
  const rows = [...(first.data as R[])];
  let next = nextPage(first.response.headers.get("Link"));
  for (let page = 1; next !== undefined && page < PAGE_CAP; page += 1) {
    const response = await apiFetch(new Request(new URL(next, location.origin)));
    rows.push(...((await response.json()) as R[]));
    next = nextPage(response.headers.get("Link"));
  }
  return rows;
}

// ---- session ----
export async function sessionGet(): Promise<T.Session | null> {
  try {
    return await data<T.Session>(api.GET("/api/v1/session"));
  } catch (error) {
    if (isStatus(error, 401) || isStatus(error, 403)) return null;
    throw error;
  }
}
export const sessionCreate = (username: string, password: string) =>
  data<T.Session>(api.POST("/api/v1/session", { body: { username, password } }));
export const sessionDelete = () => api.DELETE("/api/v1/session");

// ---- catalog ----
const packageId = (id: string) => ({ params: { path: { package_id: id } } });
export const vnfPackageList = () => all<T.VnfPackage>(api.GET("/vnfpkgm/v1/vnf_packages"));
export const vnfPackageView = (id: string) =>
  data<T.VnfPackage>(api.GET("/vnfpkgm/v1/vnf_packages/{package_id}", packageId(id)));
export const vnfPackageCreate = () => data<T.VnfPackage>(api.POST("/vnfpkgm/v1/vnf_packages", { body: {} }));
export const vnfPackageDelete = (id: string) => api.DELETE("/vnfpkgm/v1/vnf_packages/{package_id}", packageId(id));
export const vnfPackageSetState = (id: string, operationalState: T.VnfPackage["operationalState"]) =>
  api.PATCH("/vnfpkgm/v1/vnf_packages/{package_id}", {
    ...packageId(id),
    body: { operationalState },
    headers: MERGE_PATCH,
  });
export const vnfPackageUpload = (id: string, file: Blob, onProgress: (share: number) => void) =>
  upload(`/vnfpkgm/v1/vnf_packages/${encodeURIComponent(id)}/package_content`, file, onProgress);
export const vnfdList = () => all<T.Vnfd>(api.GET("/api/v1/vnfds"));
export const vnfdView = (vnfdId: string) =>
  data<T.Vnfd>(api.GET("/api/v1/vnfds/{vnfd_id}", { params: { path: { vnfd_id: vnfdId } } }));

// ---- VIMs ----
const vimId = (id: string) => ({ params: { path: { vim_id: id } } });
export const vimList = () => all<T.Vim>(api.GET("/api/v1/vims"));
export const vimView = (id: string) => data<T.Vim>(api.GET("/api/v1/vims/{vim_id}", vimId(id)));
export const vimResources = (id: string) => data<T.VimResources>(api.GET("/api/v1/vims/{vim_id}/resources", vimId(id)));
export const vimCreate = (input: T.VimInput) =>
  data<T.Vim>(api.POST("/api/v1/vims", { body: { ...input, password: input.password ?? "" } }));
export const vimUpdate = (id: string, input: Partial<T.VimInput>) =>
  data<T.Vim>(api.PATCH("/api/v1/vims/{vim_id}", { ...vimId(id), body: input }));
export const vimDelete = (id: string) => api.DELETE("/api/v1/vims/{vim_id}", vimId(id));
export const vimProbe = (id: string) => api.POST("/api/v1/vims/{vim_id}/probe", vimId(id));

// ---- plan previews ----
export const planCreate = (input: T.PlanInput) =>
  locationId(api.POST("/api/v1/plans", { body: { ...input, request: { ...input.request } } }));
export const planView = (id: string) =>
  data<T.Plan>(api.GET("/api/v1/plans/{plan_id}", { params: { path: { plan_id: id } } }));

// ---- lifecycle ----
const instanceId = (id: string) => ({ params: { path: { instance_id: id } } });
export const vnfInstanceList = () => all<T.VnfInstanceSummary>(api.GET("/api/v1/vnf_instances"));
export const vnfInstanceView = (id: string) =>
  data<T.VnfInstance>(api.GET("/api/v1/vnf_instances/{instance_id}", instanceId(id)));
export const etsiVnfInstanceView = (id: string) =>
  data<T.EtsiVnfInstance>(api.GET("/vnflcm/v2/vnf_instances/{instance_id}", instanceId(id)));
export const vnfInstanceCreate = (body: T.CreateVnfRequest) =>
  data<T.EtsiVnfInstance>(api.POST("/vnflcm/v2/vnf_instances", { body }));
export const vnfInstanceDelete = (id: string, version?: number) =>
  api.DELETE("/vnflcm/v2/vnf_instances/{instance_id}", { ...instanceId(id), headers: decidedOn(version) });
export const vnfInstanceInstantiate = (id: string, body: T.InstantiateRequest, version?: number) =>
  locationId(
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/instantiate", {
      ...instanceId(id),
      body,
      headers: decidedOn(version),
    }),
  );

/** The tasks of an instance that begin an operation; each answers with its op occ. */
export type Task = Exclude<T.Operation, "INSTANTIATE">;
type Headers = Record<string, string>;
const TASKS: { [K in Task]: (id: string, request: T.Requests[K], headers: Headers) => Promise<Answer> } = {
  SCALE: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/scale", { ...instanceId(id), body, headers }),
  SCALE_TO_LEVEL: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/scale_to_level", { ...instanceId(id), body, headers }),
  CHANGE_FLAVOUR: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/change_flavour", { ...instanceId(id), body, headers }),
  OPERATE: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/operate", { ...instanceId(id), body, headers }),
  HEAL: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/heal", { ...instanceId(id), body, headers }),
  CHANGE_EXT_CONN: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/change_ext_conn", { ...instanceId(id), body, headers }),
  CHANGE_VNFPKG: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/change_vnfpkg", { ...instanceId(id), body, headers }),
  TERMINATE: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/terminate", { ...instanceId(id), body, headers }),
  MODIFY_INFO: (id, body, headers) =>
    api.PATCH("/vnflcm/v2/vnf_instances/{instance_id}", {
      ...instanceId(id),
      body,
      headers: { ...headers, ...MERGE_PATCH },
    }),
};

/** Begins an operation that was decided on `version` of the instance; the same `key` begins it once only. */
export const vnfInstanceTask = <K extends Task>(
  id: string,
  operation: K,
  request: T.Requests[K],
  { version, key }: { version: number; key: string },
) => locationId(TASKS[operation](id, request, decidedOn(version, key)));

/** Lets what was found be what is expected. */
export const vnfInstanceAcceptDrift = (id: string, { kind, subject, vnfcId }: T.Difference, version: number) =>
  api.POST("/api/v1/vnf_instances/{instance_id}/accept_drift", {
    ...instanceId(id),
    body: { differences: [{ kind, subject, ...(vnfcId ? { vnfcId } : {}) }] },
    headers: decidedOn(version),
  });
export const vnfInstanceForget = (id: string, confirm: string) =>
  data<T.StackExport>(api.POST("/api/v1/vnf_instances/{instance_id}/forget", { ...instanceId(id), body: { confirm } }));

// ---- what nobody manages ----
const unclaimedId = (id: string) => ({ params: { path: { unclaimed_id: id } } });
export const unclaimedList = (id: string) => all<T.Unclaimed>(api.GET("/api/v1/vims/{vim_id}/unclaimed", vimId(id)));
export const unclaimedRemove = (id: string, confirm: string) =>
  api.POST("/api/v1/unclaimed/{unclaimed_id}/remove", { ...unclaimedId(id), body: { confirm } });
export const unclaimedAdopt = (id: string, body: T.AdoptRequest) =>
  locationId(api.POST("/api/v1/unclaimed/{unclaimed_id}/adopt", { ...unclaimedId(id), body }));

// ---- operations ----
/** The list takes SOL013 filters and selectors (clauses 5.2, 5.3), which its OpenAPI description leaves out. */
const opOccs = (filter: string) =>
  all<T.OpOccSummary>(
    api.GET("/vnflcm/v2/vnf_lcm_op_occs", { params: { query: { filter, fields: "error,operationParams" } as never } }),
  );
export const opOccListOf = (vnfInstanceId: string) => opOccs(`(eq,vnfInstanceId,${vnfInstanceId})`);
export const opOccListOpen = () => opOccs("(in,operationState,STARTING,PROCESSING,ROLLING_BACK,FAILED_TEMP)");
const opId = (id: string) => ({ params: { path: { op_id: id } } });
export const opOccView = (id: string) => data<T.OpOcc>(api.GET("/api/v1/vnf_lcm_op_occs/{op_id}", opId(id)));
const decided = (id: string, version: number) => ({ ...opId(id), headers: decidedOn(version) });
export const opOccRetry = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/retry", decided(id, version));
export const opOccRollback = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/rollback", decided(id, version));
export const opOccFail = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/fail", decided(id, version));
/** Decided on no version: whatever step it has come to, it shall stop. */
export const opOccCancel = (id: string, cancelMode: T.CancelMode) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/cancel", { ...opId(id), body: { cancelMode } });
export const opOccStory = async (id: string): Promise<T.Sentence[]> =>
  (await data<{ sentences: T.Sentence[] }>(api.GET("/api/v1/vnf_lcm_op_occs/{op_id}/story", opId(id)))).sentences;

// ---- faults ----
export const alarmList = () => all<T.Alarm>(api.GET("/vnffm/v1/alarms"));
export const alarmSummary = () => data<T.AlarmSummary>(api.GET("/api/v1/alarm_summary"));
export const alarmAck = (id: string, ackState: T.Alarm["ackState"]) =>
  api.PATCH("/vnffm/v1/alarms/{alarm_id}", {
    params: { path: { alarm_id: id } },
    body: { ackState },
    headers: MERGE_PATCH,
  });
