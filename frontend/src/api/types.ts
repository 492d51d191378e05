/**
 * The shapes on the wire, under the names the console uses. ETSI's names are ETSI's (SOL003, SOL005); the rest is
 * `/api/v1`. This file is the only place that knows where a shape comes from.
 */

export type Iso = string;

// ---- errors (RFC 9457 with our members) -------------------------------------------------------------------------

export interface ProblemCause {
  source: string;
  message: string;
}
export interface ProblemFieldError {
  /** JSON pointer into the request body. */
  field: string;
  message: string;
}
export interface ProblemDetails {
  type?: string;
  title: string;
  status: number;
  detail: string;
  instance?: string | null;
  code?: string;
  nextStep?: string | null;
  causes?: ProblemCause[];
  errors?: ProblemFieldError[];
}

// ---- session ----------------------------------------------------------------------------------------------------

export interface Session {
  username: string;
  displayName?: string | null;
  roles?: string[];
}

// ---- conditions -------------------------------------------------------------------------------------------------

export type ConditionStatus = "True" | "False" | "Unknown";
export interface Condition {
  type: string;
  status: ConditionStatus;
  reason: string;
  message: string;
  lastTransitionTime: Iso;
  observedAt?: Iso | null;
}

// ---- VNF packages (SOL005 clause 9) and the VNFD as the console reads it ----------------------------------------

export type OnboardingState = "CREATED" | "UPLOADING" | "PROCESSING" | "ONBOARDED" | "ERROR";
export interface VnfPackage {
  id: string;
  vnfdId?: string | null;
  vnfProvider?: string | null;
  vnfProductName?: string | null;
  vnfSoftwareVersion?: string | null;
  vnfdVersion?: string | null;
  onboardingState: OnboardingState;
  operationalState: "ENABLED" | "DISABLED";
  usageState: "IN_USE" | "NOT_IN_USE";
  userDefinedData?: Record<string, unknown> | null;
  onboardingFailureDetails?: ProblemDetails | null;
}

export interface InstantiationLevel {
  id: string;
  description: string;
  scale: Record<string, number>;
}
export interface ScalingAspect {
  id: string;
  name: string;
  description: string;
  maxScaleLevel: number;
  vduId: string;
  step: number;
}
export interface Flavour {
  id: string;
  description: string;
  defaultInstantiationLevelId: string;
  instantiationLevels: InstantiationLevel[];
  scalingAspects: ScalingAspect[];
}
export interface VduNeeds {
  vcpus?: number | null;
  memoryMib?: number | null;
  diskGib?: number | null;
  cpuPolicy?: string | null;
  memPageSize?: string | null;
  numaNodes?: number | null;
  sriovPorts?: number | null;
}
export interface Vdu {
  id: string;
  name: string;
  description: string;
  needs: VduNeeds;
  flavorParameter?: string | null;
  imageParameter?: string | null;
  minimum: number;
  maximum: number;
}
export interface VirtualLink {
  id: string;
  name: string;
  description: string;
  internal: boolean;
  networkParameter?: string | null;
  vnicType?: string | null;
}
export interface SoftwareImage {
  id: string;
  name: string;
  placeholder: boolean;
  size?: number | null;
  sha256?: string | null;
  parameter?: string | null;
}
export type SettingType = "string" | "number" | "boolean" | "list" | "json";
export interface Constraint {
  kind: "length" | "range" | "allowed_values" | "allowed_pattern" | "custom";
  message?: string | null;
  min?: number | null;
  max?: number | null;
  values?: unknown[] | null;
  pattern?: string | null;
  name?: string | null;
}
export interface Setting {
  name: string;
  label: string;
  description: string;
  group: string;
  type: SettingType;
  format?: string | null;
  default?: unknown;
  required: boolean;
  hidden: boolean;
  constraints: Constraint[];
}
export interface Vnfd {
  vnfdId: string;
  provider: string;
  productName: string;
  softwareVersion: string;
  vnfdVersion: string;
  description: string;
  packageId: string;
  notes: string[];
  flavours: Flavour[];
  vdus: Vdu[];
  virtualLinks: VirtualLink[];
  softwareImages: SoftwareImage[];
  settings: Setting[];
}

// ---- VIMs -------------------------------------------------------------------------------------------------------

export interface QuotaValue {
  used?: number | null;
  limit?: number | null;
}
export interface Vim {
  id: string;
  name: string;
  description: string;
  authUrl: string;
  region: string;
  interface: string;
  userDomainName: string;
  projectDomainName: string;
  projectName: string;
  username: string;
  hasPassword: boolean;
  cacert: string;
  insecure: boolean;
  endpointOverrides: Record<string, string>;
  conditions: Condition[];
  capabilities: Record<string, unknown>;
  quotas: Record<string, unknown>;
  versions: Record<string, unknown>;
  probedAt?: Iso | null;
  createdAt: Iso;
  version: number;
}
export interface VimInput {
  name: string;
  description: string;
  authUrl: string;
  region: string;
  interface: string;
  userDomainName: string;
  projectDomainName: string;
  projectName: string;
  username: string;
  password?: string;
  cacert: string;
  insecure: boolean;
  endpointOverrides: Record<string, string>;
}
export interface CloudFlavor {
  id: string;
  name: string;
  vcpus: number;
  memoryMib: number;
  diskGib: number;
  extraSpecs?: Record<string, string>;
}
export interface CloudImage {
  id: string;
  name: string;
  status?: string;
  size?: number | null;
}
export interface CloudNetwork {
  id: string;
  name: string;
  subnets?: unknown[];
  external?: boolean;
}
export interface VimResources {
  flavors: CloudFlavor[];
  images: CloudImage[];
  networks: CloudNetwork[];
  observedAt?: Iso | null;
}

// ---- plan previews ----------------------------------------------------------------------------------------------

export type Operation = "INSTANTIATE" | "SCALE" | "SCALE_TO_LEVEL" | "TERMINATE";
export interface PlanStep {
  seq: number;
  name: string;
  title: string;
}
export interface PlanResource {
  action: "create" | "keep" | "delete" | "replace";
  type: string;
  name: string;
  detail: string;
}
export interface PlanFlavor {
  vduId: string;
  parameter: string;
  flavorName: string | null;
  source: "requested" | "matched" | "to_create";
  needs: VduNeeds;
  candidates: string[];
  reason: string;
}
export interface PlanNetwork {
  vlId: string;
  parameter: string;
  choice: "created" | "existing";
  networkName: string | null;
}
export interface PlanQuota {
  resource: string;
  needed: number;
  used: number;
  limit: number;
}
export interface PlanResult {
  steps: PlanStep[];
  resources: PlanResource[];
  flavors: PlanFlavor[];
  networks: PlanNetwork[];
  parameters: Record<string, unknown>;
  warnings: string[];
  quota: PlanQuota[];
  fieldErrors: ProblemFieldError[];
}
export interface Plan {
  id: string;
  state: "PENDING" | "READY" | "FAILED";
  operation: Operation;
  vnfInstanceId?: string | null;
  vnfdId?: string | null;
  vimId?: string | null;
  request: unknown;
  problem?: ProblemDetails | null;
  result?: PlanResult | null;
}
export type PlanInput =
  | { operation: "INSTANTIATE"; vnfdId: string; request: InstantiateRequest }
  | { operation: "SCALE"; vnfInstanceId: string; request: ScaleRequest }
  | { operation: "SCALE_TO_LEVEL"; vnfInstanceId: string; request: ScaleToLevelRequest }
  | { operation: "TERMINATE"; vnfInstanceId: string; request: TerminateRequest };

// ---- VNF lifecycle (SOL003 clause 5) ----------------------------------------------------------------------------

export interface VimConnection {
  vimId: string;
  vimType: string;
}
export interface InstantiateRequest {
  flavourId: string;
  instantiationLevelId?: string;
  vimConnectionInfo: Record<string, VimConnection>;
  additionalParams?: Record<string, unknown>;
}
export interface ScaleRequest {
  type: "SCALE_OUT" | "SCALE_IN";
  aspectId: string;
  numberOfSteps: number;
}
export interface ScaleToLevelRequest {
  instantiationLevelId?: string;
  scaleInfo?: { aspectId: string; scaleLevel: number }[];
}
export interface TerminateRequest {
  terminationType: "FORCEFUL" | "GRACEFUL";
}

export type InstantiationState = "NOT_INSTANTIATED" | "INSTANTIATED";
export interface VnfInstanceSummary {
  id: string;
  vnfInstanceName?: string | null;
  vnfInstanceDescription?: string | null;
  vnfdId: string;
  vnfProvider: string;
  vnfProductName: string;
  vnfSoftwareVersion: string;
  vnfdVersion: string;
  vimConnectionInfo?: Record<string, { vimId?: string | null }> | null;
  instantiationState: InstantiationState;
  instantiatedVnfInfo?: {
    flavourId: string;
    vnfState: "STARTED" | "STOPPED";
    scaleStatus?: { aspectId: string; scaleLevel: number }[] | null;
    vnfcResourceInfo?: { id: string; vduId: string }[] | null;
  } | null;
}

export interface Port {
  id: string;
  cpId?: string | null;
  networkId: string;
  macAddress?: string | null;
  ipAddresses: string[];
  vnicType?: string | null;
  status: string;
}
export interface Vnfc {
  id: string;
  vduId: string;
  slot?: string | null;
  name: string;
  serverId?: string | null;
  status: string;
  desired?: string | null;
  host?: string | null;
  flavor?: string | null;
  observedAt?: Iso | null;
  ports: Port[];
}
export interface InstanceNetwork {
  id: string;
  vlId?: string | null;
  name: string;
  cidr?: string | null;
  external?: boolean;
}
export interface ScaleStatus {
  aspectId: string;
  name: string;
  level: number;
  maxLevel: number;
}
/** One line of the action table: what may be asked now, and if not, why not. */
export interface Action {
  action: string;
  enabled: boolean;
  disabledReason?: string | null;
}
export interface VnfInstance {
  id: string;
  name: string;
  instantiationState: InstantiationState;
  conditions: Condition[];
  vnfcs: Vnfc[];
  networks: InstanceNetwork[];
  scale: ScaleStatus[];
  actions: Action[];
  runningOpOccId?: string | null;
  vimId?: string | null;
  stack?: { id: string; name: string; status: string; statusReason: string; observedAt?: Iso | null } | null;
  version: number;
}

export type OperationState =
  "STARTING" | "PROCESSING" | "COMPLETED" | "FAILED_TEMP" | "FAILED" | "ROLLING_BACK" | "ROLLED_BACK";
export interface OpOccSummary {
  id: string;
  operationState: OperationState;
  stateEnteredTime: Iso;
  startTime: Iso;
  vnfInstanceId: string;
  operation: string;
  isAutomaticInvocation?: boolean;
  error?: ProblemDetails | null;
}
export type StepState = "PENDING" | "RUNNING" | "WAITING" | "DONE" | "FAILED" | "UNDOING" | "UNDONE" | "SKIPPED";
export interface Step {
  seq: number;
  name: string;
  title: string;
  state: StepState;
  message: string;
  attempts: number;
  startedAt?: Iso | null;
  finishedAt?: Iso | null;
  problem?: ProblemDetails | null;
}
export interface OpOcc extends OpOccSummary {
  steps: Step[];
  actions: Action[];
}

// ---- faults (SOL003 clause 7) -----------------------------------------------------------------------------------

export type Severity = "CRITICAL" | "MAJOR" | "MINOR" | "WARNING" | "INDETERMINATE" | "CLEARED";
export interface Alarm {
  id: string;
  managedObjectId: string;
  perceivedSeverity: Severity;
  ackState: "UNACKNOWLEDGED" | "ACKNOWLEDGED";
  alarmRaisedTime: Iso;
  alarmChangedTime?: Iso | null;
  alarmClearedTime?: Iso | null;
  alarmAcknowledgedTime?: Iso | null;
  eventTime: Iso;
  eventType: string;
  faultType?: string | null;
  probableCause: string;
  isRootCause: boolean;
  faultDetails?: string[] | null;
  rootCauseFaultyResource?: { faultyResource?: { resourceId?: string | null } | null } | null;
}

// ---- events -----------------------------------------------------------------------------------------------------

export type Topic =
  "vnf_instance.changed" | "op_occ.changed" | "alarm.changed" | "vim.changed" | "vnf_package.changed" | "plan.changed";
export interface ChangeEvent {
  topic: Topic;
  id: string;
  version: number;
}
