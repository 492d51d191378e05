import { all, api, data, page } from "./client";
import { changeHeaders } from "./http";
import type * as T from "./types";

const policyId = (id: string) => ({ params: { path: { policy_id: id } } });
export const automationPolicyList = () => all<T.AutomationPolicy>(api.GET("/api/v1/automation_policies"));
export const automationPolicyCreate = (body: T.AutomationPolicyInput) =>
  data<T.AutomationPolicy>(api.POST("/api/v1/automation_policies", { body }));
export const automationPolicyUpdate = (id: string, body: Partial<T.AutomationPolicyInput>, version: number) =>
  data<T.AutomationPolicy>(
    api.PATCH("/api/v1/automation_policies/{policy_id}", { ...policyId(id), body, headers: changeHeaders(version) }),
  );
export const automationPolicyDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/automation_policies/{policy_id}", { ...policyId(id), headers: changeHeaders(version) });
export const automationPolicyResume = (id: string) =>
  data<T.AutomationPolicy>(api.POST("/api/v1/automation_policies/{policy_id}/resume", policyId(id)));
export const automationDecisions = (id: string, query: T.DecisionQuery) =>
  page<T.AutomationDecision>(
    api.GET("/api/v1/automation_policies/{policy_id}/decisions", { params: { ...policyId(id).params, query } }),
  );
