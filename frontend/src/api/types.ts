/**
 * The shapes on the wire, under the names the console uses. They are the generated ones (`npm run generate`), narrowed
 * where OpenAPI says only "object". This file is the only place that knows where a shape comes from.
 */
import type { components } from "./__generated__/schema";

type S = components["schemas"];

// ---- errors (RFC 9457 with our members) -------------------------------------------------------------------------

/** What a program made of its own accord (the browser's "no answer") has fewer members than the server's. */
export type ProblemDetails = Pick<S["ProblemDetails"], "title" | "status" | "detail"> & Partial<S["ProblemDetails"]>;
export type ProblemFieldError = S["ProblemDetails"]["errors"][number];
type WithProblem<T, K extends string> = Omit<T, K> & Partial<Record<K, ProblemDetails | null>>;

export type Session = S["Session"];
/** Type, status, reason, message and times: of a VIM or of a VNF instance. */
export type Condition = S["ConditionOut"];
export type ConditionStatus = S["StatusEnum"];
/** One line of the action table: what may be asked now, and if not, why not. */
export type Action = S["ActionOut"];

// ---- catalog ----------------------------------------------------------------------------------------------------

export type VnfPackage = WithProblem<S["VnfPkgInfo"], "onboardingFailureDetails">;
export type OnboardingState = S["OnboardingStateEnum"];
export type Vnfd = S["Vnfd"];
export type Flavour = S["Flavour"];
export type Vdu = S["Vdu"];
export type VduNeeds = S["Needs"];
export type Setting = S["Setting"];
export type SettingType = S["SettingTypeEnum"];
export type Constraint = S["Constraint"];

// ---- VIMs -------------------------------------------------------------------------------------------------------

export type Vim = S["Vim"];
export type VimInput = Required<Omit<S["VimWriteRequest"], "password">> & { password?: string };
export type CloudFlavor = S["Flavor"];
export type VimResources = S["VimResources"];

// ---- LCM requests -----------------------------------------------------------------------------------------------

export type Operation = S["OperationEnum"];
export type InstantiateRequest = S["InstantiateVnfRequestRequest"];
export type ScaleRequest = S["ScaleVnfRequestRequest"];
export type ScaleToLevelRequest = S["ScaleVnfToLevelRequestRequest"];
export type TerminateRequest = S["TerminateVnfRequestRequest"];
export type StopType = S["StopType"];
export type HealRequest = S["HealVnfRequestRequest"];
export type OperateRequest = S["OperateVnfRequestRequest"];
export type ChangeFlavourRequest = S["ChangeVnfFlavourRequestRequest"];
export type ChangeExtConnRequest = S["ChangeExtVnfConnectivityRequestRequest"];
export type ChangeVnfpkgRequest = S["ChangeCurrentVnfPkgRequestRequest"];
export type ModifyInfoRequest = S["PatchedVnfInfoModificationRequestRequest"];
/** What each operation is asked with. */
export interface Requests {
  INSTANTIATE: InstantiateRequest;
  SCALE: ScaleRequest;
  SCALE_TO_LEVEL: ScaleToLevelRequest;
  CHANGE_FLAVOUR: ChangeFlavourRequest;
  OPERATE: OperateRequest;
  HEAL: HealRequest;
  CHANGE_EXT_CONN: ChangeExtConnRequest;
  CHANGE_VNFPKG: ChangeVnfpkgRequest;
  MODIFY_INFO: ModifyInfoRequest;
  TERMINATE: TerminateRequest;
}

// ---- plan previews ----------------------------------------------------------------------------------------------

/** One ground of a grant; only a binding one that is False forbids. */
export type GrantCheck = S["GrantCheckOut"];
export type PlanResult = S["PlanResult"];
export type PlanResource = S["PlannedResourceOut"];
export type PlanFlavor = S["PlannedFlavorOut"];
export type PlanNetwork = S["PlannedNetworkOut"];
export type PlanQuota = S["PlannedQuotaOut"];
export type Plan = WithProblem<S["PlanOut"], "problem">;
/** A question for a VNFD (before there is an instance) or for an instance. */
export type PlanInput<K extends Operation = Operation> = { operation: K; request: Requests[K] } & (
  { vnfdId: string } | { vnfInstanceId: string }
);

// ---- VNF instances and their operations -------------------------------------------------------------------------

export type InstantiationState = S["InstantiationStateEnum"];
export type VnfInstanceSummary = S["InstanceSummaryOut"];
export type VnfInstance = S["InstanceDetailOut"];
/** SOL003's view; the console needs it for what only ETSI has: the flavour it was instantiated with. */
export type EtsiVnfInstance = S["VnfInstanceOut"];
export type CreateVnfRequest = S["CreateVnfRequestRequest"];
export type Vnfc = S["VnfcOut"];
export type Port = S["PortOut"];
export type InstanceNetwork = S["InstanceNetworkOut"];
export type ScaleStatus = S["ScaleOut"];

export type OperationState = S["OperationStateEnum"];
export type OpOccSummary = WithProblem<S["VnfLcmOpOccOut"], "error">;
export type StepState = S["StepOutStateEnum"];
/** A request that changed something in the cloud, with the id under which OpenStack's logs know it. */
export type CloudCall = S["CallOut"];
export type Step = WithProblem<S["StepOut"], "problem">;
export type Grant = S["OperationGrantOut"];
/** A grant that an NFVO has still to decide on. */
export type GrantAsking = S["GrantAskedOut"];
export type CancelMode = S["CancelRequestRequest"]["cancelMode"];
export type OpOcc = WithProblem<Omit<S["OperationDetailOut"], "steps">, "error"> & { steps: Step[] };
export type Sentence = S["SentenceOut"];

// ---- drift, unclaimed resources, letting go ---------------------------------------------------------------------

export type Difference = S["DifferenceOut"];
export type Unclaimed = Omit<S["UnclaimedOut"], "removal"> & { removal: WithProblem<S["RemovalOut"], "problem"> };
export type RemovalState = S["RemovalOut"]["state"];
export type AdoptRequest = S["AdoptRequestRequest"];
/** What Heat was last given: enough to go on by hand. Hidden parameters are masked. */
export type StackExport = S["StackExportOut"];

// ---- faults -----------------------------------------------------------------------------------------------------

export type Severity = S["PerceivedSeverityEnum"];
export type Alarm = S["AlarmOut"];
export type AlarmSummary = S["AlarmSummaryOut"];

// ---- events -----------------------------------------------------------------------------------------------------

export type Topic =
  | "vnf_instance.changed"
  | "op_occ.changed"
  | "alarm.changed"
  | "vim.changed"
  | "vnf_package.changed"
  | "plan.changed"
  | "unclaimed.changed";
export interface ChangeEvent {
  topic: Topic;
  id: string;
  version: number;
}
