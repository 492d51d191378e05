/**
 * Names for the generated types (`npm run generate`), narrowed where OpenAPI says only "object". Only this file
 * imports the generated types.
 */
import type { components, operations } from "./__generated__/schema";

type S = components["schemas"];

// ---- errors (RFC 9457 with our members) -------------------------------------------------------------------------

/** A problem that the console creates (no answer) has fewer members than the server's. */
export type ProblemDetails = Pick<S["ProblemDetails"], "title" | "status" | "detail"> & Partial<S["ProblemDetails"]>;
export type ProblemFieldError = S["ProblemDetails"]["errors"][number];
type WithProblem<T, K extends string> = Omit<T, K> & Partial<Record<K, ProblemDetails | null>>;

export type Session = S["Session"];
export type Condition = S["ConditionOut"];
export type ConditionStatus = S["StatusEnum"];
/** `reason` says why an action is not possible now. */
export type Action = S["ActionOut"];

// ---- catalog ----------------------------------------------------------------------------------------------------

export type VnfPackage = WithProblem<S["VnfPkgInfo"], "onboardingFailureDetails">;
export type OnboardingState = S["OnboardingStateEnum"];
export type Descriptor = S["Descriptor"];
export type Vnfd = S["Vnfd"];
export type Flavour = S["Flavour"];
export type Vdu = S["Vdu"];
export type VduNeeds = S["Needs"];
export type Setting = S["Setting"];
export type Constraint = S["Constraint"];
/** Fixed addresses of one subnet must agree with each other. */
export type AddressPlan = S["AddressPlan"];
export type PackageSignature = S["Signature"];
/** SOL005 clause 9.5.2.4. */
export type PackageSource = S["UploadVnfPackageFromUriRequest"];
export type PackageFile = S["PackageFileOut"];
export type Finding = S["Finding"];
export type FindingSeverity = Finding["severity"];
export type PackageReport = S["PackageReport"];
export type QuotaDemand = S["QuotaNeed"];
export type DerivedPackage = S["DerivedPackage"];

// ---- dimensioning -----------------------------------------------------------------------------------------------

export type Figures = S["FiguresOut"];
export type ReferenceFigures = S["ReferenceFiguresOut"];
export type Figure = S["FigureOut"];
export type Demanded = S["DemandedOut"];
export type Dimension = S["DimensionEnum"];
export type DimensioningRequest = S["DimensioningRequestRequest"];
export type Demand = S["DemandRequest"];
export type DimensioningAnswer = S["DimensioningAnswer"];
export type DimensionRow = S["DimensionOut"];
export type DimensioningFit = S["VerdictEnum"];

// ---- VIMs -------------------------------------------------------------------------------------------------------

export type Vim = S["Vim"];
export type VimInput = Required<Omit<S["VimWriteRequest"], "password">> & { password?: string };
export type CloudFlavor = S["Flavor"];
export type VnfNetwork = S["VnfNetwork"];
export type VimResources = S["VimResources"];
export type VimNetwork = S["Network"];
export type VimNetworkInput = S["NetworkWriteRequest"];
export type VimWatch = S["VimWatch"];
export type VimHost = S["VimHost"];
export type VimBus = S["VimBus"];
export type VimBusInput = S["VimBusWriteRequest"];
export type VimWebhook = S["VimWebhook"];

// ---- LCM requests -----------------------------------------------------------------------------------------------

export type Operation = S["OperationEnum"];
export type InstantiateRequest = S["InstantiateVnfRequestRequest"];
export type ScaleRequest = S["ScaleVnfRequestRequest"];
export type TerminateRequest = S["TerminateVnfRequestRequest"];
export type StopType = S["StopType"];
export type HealRequest = S["HealVnfRequestRequest"];
export type OperateRequest = S["OperateVnfRequestRequest"];
export type ChangeFlavourRequest = S["ChangeVnfFlavourRequestRequest"];
export type ChangeExtConnRequest = S["ChangeExtVnfConnectivityRequestRequest"];
export type ChangeVnfpkgRequest = S["ChangeCurrentVnfPkgRequestRequest"];
export type ModifyInfoRequest = S["PatchedVnfInfoModificationRequestRequest"];
/** The body of each operation's request. */
export interface Requests {
  INSTANTIATE: InstantiateRequest;
  SCALE: ScaleRequest;
  SCALE_TO_LEVEL: S["ScaleVnfToLevelRequestRequest"];
  CHANGE_FLAVOUR: ChangeFlavourRequest;
  OPERATE: OperateRequest;
  HEAL: HealRequest;
  CHANGE_EXT_CONN: ChangeExtConnRequest;
  CHANGE_VNFPKG: ChangeVnfpkgRequest;
  MODIFY_INFO: ModifyInfoRequest;
  TERMINATE: TerminateRequest;
  CREATE_SNAPSHOT: S["CreateVnfSnapshotRequestRequest"];
  REVERT_TO_SNAPSHOT: S["RevertToVnfSnapshotRequestRequest"];
}

/** A snapshot has no resource before its operation starts, so the plan's request does not name one. */
export interface PlannedRequests extends Omit<Requests, "CREATE_SNAPSHOT"> {
  CREATE_SNAPSHOT: Partial<Requests["CREATE_SNAPSHOT"]>;
}

export type InstanceSnapshot = S["InstanceSnapshotOut"];

// ---- environments -----------------------------------------------------------------------------------------------

/** An environment contains no secret. */
export type Environment = S["EnvironmentOut"];
export type EnvironmentInput = S["EnvironmentWriteRequest"];
export type DerivedEnvironment = S["DerivedEnvironment"];

// ---- plan previews ----------------------------------------------------------------------------------------------

/** Only a binding check that is False denies the grant. */
export type GrantCheck = S["GrantCheckOut"];
export type PlanResult = S["PlanResult"];
export type PlanResource = S["PlannedResourceOut"];
/** `origin` says who gave the value. */
export type PlanSetting = S["PlannedSettingOut"];
export type PlanFlavor = S["PlannedFlavorOut"];
export type PlanNetwork = S["PlannedNetworkOut"];
export type Plan = Omit<S["PlanOut"], "problem"> & {
  problem?: (ProblemDetails & { missingFlavors?: PlanFlavor[] }) | null;
};
/** The plan is for an instance, or for a VNFD before there is an instance. */
export type PlanInput<K extends Operation = Operation> = { operation: K; request: PlannedRequests[K] } & (
  { vnfdId: string } | { vnfInstanceId: string }
);

// ---- VNF instances and their operations -------------------------------------------------------------------------

export type InstantiationState = S["InstantiationStateEnum"];
export type VnfInstanceSummary = S["InstanceSummaryOut"];
export type VnfInstance = S["InstanceDetailOut"];
/** The console needs SOL003's view for attributes that only ETSI has, such as the flavour. */
export type EtsiVnfInstance = S["VnfInstanceOut"];
export type CreateVnfRequest = S["CreateVnfRequestRequest"];
export type Vnfc = S["VnfcOut"];
export type Port = S["PortOut"];
export type InstanceNetwork = S["InstanceNetworkOut"];
export type ScaleStatus = S["ScaleOut"];

export type OperationState = S["OperationStateEnum"];
export type OpOccSummary = WithProblem<S["OperationSummaryOut"], "error">;
export type StepState = S["StepOutStateEnum"];
/** OpenStack's logs contain the request id. */
export type CloudCall = S["CallOut"];
export type Step = WithProblem<S["StepOut"], "problem">;
export type Grant = S["OperationGrantOut"];
export type PendingGrant = S["GrantAskedOut"];
export type CancelMode = S["CancelRequestRequest"]["cancelMode"];
export type OpOcc = WithProblem<Omit<S["OperationDetailOut"], "steps">, "error"> & { steps: Step[] };
export type Sentence = S["SentenceOut"];

// ---- drift, unclaimed resources, letting go ---------------------------------------------------------------------

export type Difference = S["DifferenceOut"];
export type Unclaimed = Omit<S["UnclaimedOut"], "removal"> & { removal: WithProblem<S["RemovalOut"], "problem"> };
export type RemovalState = S["RemovalOut"]["state"];
export type AdoptRequest = S["AdoptRequestRequest"];
/** This is enough to continue with Heat by hand. Hidden parameters are masked. */
export type StackExport = S["StackExportOut"];

// ---- faults -----------------------------------------------------------------------------------------------------

type Query<K extends keyof operations> = operations[K]["parameters"]["query"];

export type Severity = S["PerceivedSeverityEnum"];
export type Alarm = S["AlarmRecord"];
export type AlarmQuery = Query<"alarm_record_list">;
export type AlarmSummary = S["AlarmSummary"];
export type AlarmObjectQuery = Query<"alarm_object_summary">;
export type AlarmPartSummary = S["AlarmPartSummary"];
export type AlarmSiteSummary = S["AlarmSiteSummary"];
export type AlarmObjectSummary = S["AlarmObjectSummary"];
export type AlarmDictionaryEntry = S["FaultType"];
export type AlarmChange = S["PatchedAlarmRecordUpdateRequest"];
export type AlarmBulk = S["AlarmBulkWriteRequest"];
export type AlarmBulkAnswer = S["AlarmBulkResult"];
/** The filter of the alarm list without sorting and paging. */
export type AlarmMatchQuery = Query<"alarm_record_count">;
export type AlarmCount = S["AlarmMatchCount"];
export type AlarmMatch = Required<Omit<S["PatchedAlarmMatchWriteRequest"], "assignedTo">> & { assignedTo?: string };
export type AlarmMatchAnswer = S["AlarmMatchResult"];
export type AlarmNote = S["AlarmNoteOut"];
export type AlarmPolicy = S["AlarmPolicyOut"];
export type AlarmPolicyInput = S["AlarmPolicyWriteRequest"];
export type MaintenanceWindow = S["MaintenanceWindowOut"];
export type MaintenanceWindowInput = S["MaintenanceWindowWriteRequest"];
export type MaintenanceWindowChange = S["PatchedMaintenanceWindowUpdateRequest"];
export type ManagedObjectType = S["ManagedObjectTypeEnum"];

// ---- elements ---------------------------------------------------------------------------------------------------

export type NetworkElement = S["NetworkElement"];
export type ElementQuery = Query<"element_list">;
export type ElementInput = S["ElementWriteRequest"];
export type ElementKind = S["ElementKindEnum"];
export type ElementState = S["ElementStateEnum"];
export type ResyncState = S["ResyncStateEnum"];
export type ResyncRequest = S["ResyncRequestRequest"];
export type ResyncScope = S["ScopeEnum"];
export type Equipment = S["EquipmentShape"];
export type EquipmentClass = S["EquipmentClassEnum"];
export type EquipmentState = S["EquipmentOperStateEnum"];
export type AdminState = S["EquipmentAdminStateEnum"];
export type Interface = S["InterfaceShape"];
export type InterfaceStatus = S["InterfaceStatusEnum"];
export type BgpPeer = S["BgpPeerShape"];
export type BgpState = S["BgpStateEnum"];
/** LLDP or OSPF reports the neighbour. */
export type Adjacency = S["AdjacencyShape"];
export type AdjacencyState = S["AdjacencyStateEnum"];
export type ElementFact = S["ElementFactShape"];
export type ElementOmission = S["ElementOmissionShape"];
export type NameQuery = Query<"site_list">;
export type Site = S["Site"];
export type SiteInput = S["SiteRequest"];
export type MediationPolicy = S["MediationPolicy"];
export type MediationPolicyInput = S["PolicyCreateRequest"];
export type MediationPolicyChange = S["PatchedPolicyChangeRequest"];
export type ManagementProfile = S["ManagementProfile"];
export type ManagementProfileInput = S["ManagementProfileWriteRequest"];
export type Protocol = S["ProtocolEnum"];
export type DiscoveryRule = S["DiscoveryRuleShape"];
export type DiscoveryRuleInput = S["DiscoveryRuleWriteRequest"];
export type DiscoveryResult = S["ScanResult"];

// ---- configurations and traps of elements -----------------------------------------------------------------------

export type ConfigurationPlan = S["ConfigurationPlanShape"];
export type ConfigurationPlanInput = S["PatchedConfigurationPlanWriteRequest"];
export type ConfigurationVersion = S["ConfigurationVersionShape"];
export type ConfigurationVersionQuery = Query<"element_configuration_version_list">;
export type ConfigurationText = S["ConfigurationTextShape"];
export type ConfigurationJob = WithProblem<S["ConfigurationJobShape"], "problem">;
export type ConfigurationJobDetail = WithProblem<S["ConfigurationJobDetail"], "problem">;
export type ConfigurationPushInput = S["ConfigurationPushWriteRequest"];
export type ConfigurationRollbackInput = S["ConfigurationRollbackWriteRequest"];
export type AdminStateInput = S["AdminStateWriteRequest"];
export type Trap = S["Trap"];
export type TrapQuery = Query<"element_traps">;
export type TrapReceiver = S["TrapReceiver"];
export type CountedObjects = S["CountedObjects"];
export type CounterSeries = S["CounterSeries"];
export type CounterThreshold = S["CounterThreshold"];
export type CounterThresholds = S["CounterThresholds"];
export type ThresholdRule = S["ThresholdRuleOut"];
export type ThresholdRuleInput = S["ThresholdRuleWriteRequest"];
export type CounterQuery = Query<"element_counters">;

export type Traffic = S["Traffic"];
export type TrafficPath = S["TrafficPath"];

export type TopRow = S["TopRow"];
export type Board = S["Board"];
export type BoardChart = S["Chart"];
export type BoardInput = Partial<S["BoardWriteRequest"]>;
export type BoardChartInput = S["ChartWriteRequest"];
export type BoardSeries = S["BoardSeries"];
export type SeriesSource = S["ChartSeriesRequest"];
export type TopQuery = Query<"performance_top">;

// ---- consoles of VMs, notes on instances --------------------------------------------------------------------------

export type Console = S["Console"];
export type ConsoleLog = S["ConsoleLog"];
export type Note = S["InstanceNoteOut"];

// ---- automation -------------------------------------------------------------------------------------------------

export type AutomationPolicy = S["AutomationPolicyOut"];
export type AutomationPolicyInput = S["AutomationPolicyWriteRequest"];
export type AutomationDecision = S["AutomationDecisionOut"];
export type AutomationOutcome = S["AutomationOutcomeEnum"];
export type DecisionQuery = Query<"automation_decision_list">;

// ---- events -----------------------------------------------------------------------------------------------------

export type Topic =
  | "vnf_instance.changed"
  | "op_occ.changed"
  | "alarm.changed"
  | "vim.changed"
  | "vnf_package.changed"
  | "plan.changed"
  | "unclaimed.changed"
  | "network_element.changed"
  | "discovery_rule.changed"
  | "site.changed"
  | "mediation_policy.changed"
  | "management_profile.changed"
  | "configuration.changed"
  | "configuration_job.changed"
  | "automation_policy.changed"
  | "automation_policy.decided"
  | "environment.changed"
  | "board.changed"
  | "threshold_rule.changed"
  | "threshold_rule.crossed";
export interface ChangeEvent {
  topic: Topic;
  id: string;
  version: number;
}
