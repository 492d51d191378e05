/** One function per API operation, with the API's name. Only the modules `calls…` know paths. */
import { all, api, data, locationId, MERGE_PATCH, page, type Answer } from "./client";
import { postForAnswer, changeHeaders, fileText, isStatus, upload, type Sending } from "./http";
import type * as T from "./types";

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
/** Lists omit onboardingFailureDetails by default; excluding other fields brings it back (SOL005 clause 9.4.2.3.2). */
const HEAVY = "checksum,softwareImages,additionalArtifacts,userDefinedData";
export const vnfPackageList = () =>
  all<T.VnfPackage>(api.GET("/vnfpkgm/v2/vnf_packages", { params: { query: { exclude_fields: HEAVY } as never } }));
export const vnfPackageView = (id: string) =>
  data<T.VnfPackage>(api.GET("/vnfpkgm/v2/vnf_packages/{package_id}", packageId(id)));
export const vnfPackageCreate = () => data<T.VnfPackage>(api.POST("/vnfpkgm/v2/vnf_packages", { body: {} }));
export const vnfPackageDelete = (id: string) => api.DELETE("/vnfpkgm/v2/vnf_packages/{package_id}", packageId(id));
export const vnfPackageSetState = (id: string, operationalState: T.VnfPackage["operationalState"]) =>
  api.PATCH("/vnfpkgm/v2/vnf_packages/{package_id}", {
    ...packageId(id),
    body: { operationalState },
    headers: MERGE_PATCH,
  });
/** The form may contain a descriptor next to the files. */
export type Content = Blob | FormData;
const typeOf = (content: Content): Record<string, string> =>
  content instanceof FormData ? {} : { "Content-Type": "application/zip" };
const packagePath = (id: string) => `/vnfpkgm/v2/vnf_packages/${encodeURIComponent(id)}`;
const query = (params: Record<string, string>, fetch: readonly string[] = []): string => {
  const named = [...Object.entries(params), ...fetch.map((url) => ["fetch", url])];
  const given = new URLSearchParams(named.filter(([, value]) => value !== "")).toString();
  return given && `?${given}`;
};
/** `fetch` lists the URLs in templates that the server may read. */
export interface Choices {
  root?: string | undefined;
  fetch?: readonly string[];
}
export const vnfPackageUpload = (id: string, content: Content, sending: Sending, { root = "", fetch }: Choices) =>
  upload(`${packagePath(id)}/package_content${query({ root }, fetch)}`, content, typeOf(content), sending);
export const vnfPackageFetch = (id: string, source: T.PackageSource, { root, fetch = [] }: Choices) =>
  api.POST("/vnfpkgm/v2/vnf_packages/{package_id}/package_content/upload_from_uri", {
    params: {
      ...packageId(id).params,
      query: { ...(root && { root }), ...(fetch.length > 0 && { fetch: [...fetch] }) },
    },
    body: source,
  });
/** With a cloud, its Heat validates the templates as well. */
export const packageValidate = (content: Content, sending: Sending, { vimId = "", root = "" } = {}) =>
  postForAnswer<T.PackageReport>(
    `/api/v1/packages/validate${query({ vimId, root })}`,
    content,
    typeOf(content),
    sending,
  );
export const packageDerive = (content: Content, sending: Sending, root = "") =>
  postForAnswer<T.DerivedPackage>(`/api/v1/packages/derive${query({ root })}`, content, typeOf(content), sending);
export const packageReport = (id: string, vim?: string) =>
  data<T.PackageReport>(
    api.GET("/api/v1/packages/{package_id}/validation", {
      params: { ...packageId(id).params, ...(vim && { query: { vimId: vim } }) },
    }),
  );
export const packageFiles = (id: string) =>
  data<T.PackageFile[]>(api.GET("/api/v1/packages/{package_id}/files", packageId(id)));
export const packageFileHref = (id: string, path: string) =>
  `${packagePath(id)}/artifacts/${path.split("/").map(encodeURIComponent).join("/")}`;
export const packageCsarHref = (id: string) => `/api/v1/packages/${encodeURIComponent(id)}/csar`;
export const packageContentHref = (id: string) => `${packagePath(id)}/package_content`;
export const packageFileText = (id: string, path: string) => fileText(packageFileHref(id, path));
export const vnfdList = () => all<T.Vnfd>(api.GET("/api/v1/vnfds"));
export const vnfdView = (vnfdId: string) =>
  data<T.Vnfd>(api.GET("/api/v1/vnfds/{vnfd_id}", { params: { path: { vnfd_id: vnfdId } } }));
export const vnfdFigures = (vnfdId: string) =>
  data<T.Figures>(api.GET("/api/v1/vnfds/{vnfd_id}/figures", { params: { path: { vnfd_id: vnfdId } } }));
export const referenceFigures = () => data<T.ReferenceFigures[]>(api.GET("/api/v1/reference_figures"));
export const dimensioning = (body: T.DimensioningRequest) =>
  data<T.DimensioningAnswer>(api.POST("/api/v1/dimensioning", { body }));

// ---- VIMs ----
const vimId = (id: string) => ({ params: { path: { vim_id: id } } });
export const vimList = () => all<T.Vim>(api.GET("/api/v1/vims"));
export const vimView = (id: string) => data<T.Vim>(api.GET("/api/v1/vims/{vim_id}", vimId(id)));
export const vnfNetworks = (id: string) => all<T.VnfNetwork>(api.GET("/api/v1/vims/{vim_id}/vnf_networks", vimId(id)));
export const vimResources = (id: string) => data<T.VimResources>(api.GET("/api/v1/vims/{vim_id}/resources", vimId(id)));
export const vimNetworkCreate = (id: string, body: T.VimNetworkInput) =>
  data<T.VimNetwork>(api.POST("/api/v1/vims/{vim_id}/networks", { ...vimId(id), body }));
export const vimCreate = (input: T.VimInput) =>
  data<T.Vim>(api.POST("/api/v1/vims", { body: { ...input, password: input.password ?? "" } }));
export const vimUpdate = (id: string, input: Partial<T.VimInput>, version: number) =>
  data<T.Vim>(api.PATCH("/api/v1/vims/{vim_id}", { ...vimId(id), body: input, headers: changeHeaders(version) }));
export const vimDelete = (id: string) => api.DELETE("/api/v1/vims/{vim_id}", vimId(id));
export const vimProbe = (id: string) => api.POST("/api/v1/vims/{vim_id}/probe", vimId(id));
export const vimWatch = (id: string) => data<T.VimWatch>(api.GET("/api/v1/vims/{vim_id}/watch", vimId(id)));
export const vimHosts = (id: string) => all<T.VimHost>(api.GET("/api/v1/vims/{vim_id}/hosts", vimId(id)));
export const vimNotifications = (id: string) =>
  data<T.VimBus>(api.GET("/api/v1/vims/{vim_id}/notifications", vimId(id)));
export const vimNotificationsSet = (id: string, body: T.VimBusInput, version: number) =>
  data<T.VimBus>(
    api.PUT("/api/v1/vims/{vim_id}/notifications", { ...vimId(id), body, headers: changeHeaders(version) }),
  );
export const vimNotificationsDelete = (id: string) => api.DELETE("/api/v1/vims/{vim_id}/notifications", vimId(id));
export const vimWebhook = (id: string) => data<T.VimWebhook>(api.GET("/api/v1/vims/{vim_id}/webhooks", vimId(id)));
export const vimWebhookCreate = (id: string) =>
  data<T.VimWebhook>(api.POST("/api/v1/vims/{vim_id}/webhooks", vimId(id)));
export const vimWebhookDelete = (id: string) => api.DELETE("/api/v1/vims/{vim_id}/webhooks", vimId(id));

// ---- plan previews ----
export const planCreate = (input: T.PlanInput) =>
  locationId(api.POST("/api/v1/plans", { body: { ...input, request: { ...input.request } } }));
export const planView = (id: string) =>
  data<T.Plan>(api.GET("/api/v1/plans/{plan_id}", { params: { path: { plan_id: id } } }));

// ---- lifecycle ----
const instanceId = (id: string) => ({ params: { path: { instance_id: id } } });
export const vnfInstanceList = (filter?: string) =>
  all<T.VnfInstanceSummary>(api.GET("/api/v1/vnf_instances", { params: { query: filter ? { filter } : {} } }));
export const vnfInstancePage = (query: T.NameQuery) =>
  page<T.VnfInstanceSummary>(api.GET("/api/v1/vnf_instances", { params: { query } }));
export const vnfInstanceView = (id: string) =>
  data<T.VnfInstance>(api.GET("/api/v1/vnf_instances/{instance_id}", instanceId(id)));
export const etsiVnfInstanceView = (id: string) =>
  data<T.EtsiVnfInstance>(api.GET("/vnflcm/v2/vnf_instances/{instance_id}", instanceId(id)));
export const vnfInstanceCreate = (body: T.CreateVnfRequest) =>
  data<T.EtsiVnfInstance>(api.POST("/vnflcm/v2/vnf_instances", { body }));
export const vnfInstanceDelete = (id: string, version?: number) =>
  api.DELETE("/vnflcm/v2/vnf_instances/{instance_id}", { ...instanceId(id), headers: changeHeaders(version) });
export const vnfInstanceInstantiate = (id: string, body: T.InstantiateRequest, version?: number) =>
  locationId(
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/instantiate", {
      ...instanceId(id),
      body,
      headers: changeHeaders(version),
    }),
  );

/** Each of these tasks answers with an op occ. */
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
  CREATE_SNAPSHOT: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/create_snapshot", { ...instanceId(id), body, headers }),
  REVERT_TO_SNAPSHOT: (id, body, headers) =>
    api.POST("/vnflcm/v2/vnf_instances/{instance_id}/revert_to_snapshot", { ...instanceId(id), body, headers }),
  MODIFY_INFO: (id, body, headers) =>
    api.PATCH("/vnflcm/v2/vnf_instances/{instance_id}", {
      ...instanceId(id),
      body,
      headers: { ...headers, ...MERGE_PATCH },
    }),
};

/** The user decided on `version` of the instance; the server starts one operation for each `key`. */
export const vnfInstanceTask = <K extends Task>(
  id: string,
  operation: K,
  request: T.Requests[K],
  { version, key }: { version: number; key: string },
) => locationId(TASKS[operation](id, request, changeHeaders(version, key)));

/** Makes the observed state the desired one. */
export const vnfInstanceAcceptDrift = (id: string, { kind, subject, vnfcId }: T.Difference, version: number) =>
  api.POST("/api/v1/vnf_instances/{instance_id}/accept_drift", {
    ...instanceId(id),
    body: { differences: [{ kind, subject, ...(vnfcId ? { vnfcId } : {}) }] },
    headers: changeHeaders(version),
  });
export const vnfInstanceForget = (id: string, confirm: string) =>
  data<T.StackExport>(api.POST("/api/v1/vnf_instances/{instance_id}/forget", { ...instanceId(id), body: { confirm } }));

// ---- unclaimed resources ----
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
    api.GET("/api/v1/vnf_lcm_op_occs", { params: { query: { filter, fields: "error,operationParams" } as never } }),
  );
export const opOccListOf = (vnfInstanceId: string) => opOccs(`(eq,vnfInstanceId,${vnfInstanceId})`);
export const opOccListOpen = () => opOccs("(in,operationState,STARTING,PROCESSING,ROLLING_BACK,FAILED_TEMP)");
const opId = (id: string) => ({ params: { path: { op_id: id } } });
export const opOccView = (id: string) => data<T.OpOcc>(api.GET("/api/v1/vnf_lcm_op_occs/{op_id}", opId(id)));
const decided = (id: string, version: number) => ({ ...opId(id), headers: changeHeaders(version) });
export const opOccRetry = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/retry", decided(id, version));
export const opOccRollback = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/rollback", decided(id, version));
export const opOccFail = (id: string, version: number) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/fail", decided(id, version));
/** A cancellation names no version, because it applies to whatever step the operation has reached. */
export const opOccCancel = (id: string, cancelMode: T.CancelMode) =>
  api.POST("/vnflcm/v2/vnf_lcm_op_occs/{op_id}/cancel", { ...opId(id), body: { cancelMode } });
export const opOccStory = async (id: string): Promise<T.Sentence[]> =>
  (await data<{ sentences: T.Sentence[] }>(api.GET("/api/v1/vnf_lcm_op_occs/{op_id}/story", opId(id)))).sentences;
