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

// ---- plan previews ----------------------------------------------------------------------------------------------

export type Operation = S["OperationEnum"];
export type PlanResult = S["PlanResult"];
export type PlanResource = S["PlannedResourceOut"];
export type PlanFlavor = S["PlannedFlavorOut"];
export type PlanNetwork = S["PlannedNetworkOut"];
export type PlanQuota = S["PlannedQuotaOut"];
export type Plan = WithProblem<S["PlanOut"], "problem">;
export type InstantiateRequest = S["InstantiateVnfRequestRequest"];
export type ScaleRequest = S["ScaleVnfRequestRequest"];
export type ScaleToLevelRequest = S["ScaleVnfToLevelRequestRequest"];
export type TerminateRequest = S["TerminateVnfRequestRequest"];
export type PlanInput =
  | { operation: "INSTANTIATE"; vnfdId: string; request: InstantiateRequest }
  | { operation: "SCALE"; vnfInstanceId: string; request: ScaleRequest }
  | { operation: "SCALE_TO_LEVEL"; vnfInstanceId: string; request: ScaleToLevelRequest }
  | { operation: "TERMINATE"; vnfInstanceId: string; request: TerminateRequest };

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
export type Step = WithProblem<S["StepOut"], "problem">;
export type OpOcc = WithProblem<Omit<S["OperationDetailOut"], "steps">, "error"> & { steps: Step[] };

// ---- faults -----------------------------------------------------------------------------------------------------

export type Severity = S["PerceivedSeverityEnum"];
export type Alarm = S["AlarmOut"];
export type AlarmSummary = S["AlarmSummaryOut"];

// ---- events -----------------------------------------------------------------------------------------------------

export type Topic =
  "vnf_instance.changed" | "op_occ.changed" | "alarm.changed" | "vim.changed" | "vnf_package.changed" | "plan.changed";
export interface ChangeEvent {
  topic: Topic;
  id: string;
  version: number;
}
