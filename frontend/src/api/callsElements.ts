import { all, api, csvHref, data, page } from "./client";
import { changeHeaders } from "./http";
import { filterText } from "./filter";
import type * as T from "./types";

const elementId = (id: string) => ({ params: { path: { element_id: id } } });
const on = (id: string, version: number) => ({ ...elementId(id), headers: changeHeaders(version) });

export const elementPage = (query: T.ElementQuery) =>
  page<T.NetworkElement>(api.GET("/api/v1/elements", { params: { query } }));
/** The file has all rows and not only the shown page. */
export const elementCsvHref = ({ filter, sort }: NonNullable<T.ElementQuery>): string =>
  csvHref("/api/v1/elements.csv", { ...(filter ? { filter } : {}), ...(sort ? { sort } : {}) });
export const elementsOf = (vnfInstanceId: string) =>
  all<T.NetworkElement>(
    api.GET("/api/v1/elements", { params: { query: { filter: `(eq,vnfInstanceId,${vnfInstanceId})` } } }),
  );
export const elementView = (id: string) =>
  data<T.NetworkElement>(api.GET("/api/v1/elements/{element_id}", elementId(id)));
export const elementRegister = (body: T.ElementInput) => data<T.NetworkElement>(api.POST("/api/v1/elements", { body }));
export const elementUpdate = (id: string, body: Partial<T.ElementInput>, version: number) =>
  data<T.NetworkElement>(api.PATCH("/api/v1/elements/{element_id}", { ...on(id, version), body }));
export const elementDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/elements/{element_id}", on(id, version));
export const elementResync = (id: string, body: T.ResyncRequest) =>
  data<T.NetworkElement>(api.POST("/api/v1/elements/{element_id}/resync", { ...elementId(id), body }));
export const elementManage = (id: string, version: number) =>
  data<T.NetworkElement>(api.POST("/api/v1/elements/{element_id}/manage", on(id, version)));
export const elementUnmanage = (id: string, version: number) =>
  data<T.NetworkElement>(api.POST("/api/v1/elements/{element_id}/unmanage", on(id, version)));
export const elementSuspend = (id: string, version: number) =>
  data<T.NetworkElement>(api.POST("/api/v1/elements/{element_id}/suspend", on(id, version)));
export const elementForgetHostKey = (id: string, version: number) =>
  data<T.NetworkElement>(api.POST("/api/v1/elements/{element_id}/forget_host_key", on(id, version)));
export const elementEquipment = (id: string) =>
  all<T.Equipment>(api.GET("/api/v1/elements/{element_id}/equipment", elementId(id)));
export const elementInterfaces = (id: string) =>
  all<T.Interface>(api.GET("/api/v1/elements/{element_id}/interfaces", elementId(id)));
export const elementBgpPeers = (id: string) =>
  all<T.BgpPeer>(api.GET("/api/v1/elements/{element_id}/bgp_peers", elementId(id)));
export const elementAdjacencies = (id: string) =>
  all<T.Adjacency>(api.GET("/api/v1/elements/{element_id}/adjacencies", elementId(id)));

/** A longer list of names would exceed the permitted length of an address. */
const NAMES_PER_REQUEST = 50;
const NAME_ATTRIBUTES = ["sysName", "managementAddress"] as const;
/** Finds elements by their name or by their management address. */
export async function elementsByName(names: readonly string[]): Promise<T.NetworkElement[]> {
  const found: T.NetworkElement[] = [];
  for (let at = 0; at < names.length; at += NAMES_PER_REQUEST) {
    const some = names.slice(at, at + NAMES_PER_REQUEST).filter((name) => !name.includes(","));
    for (const attribute of NAME_ATTRIBUTES) {
      const filter = filterText([["in", attribute, some.join(",")]]);
      if (filter)
        found.push(...(await all<T.NetworkElement>(api.GET("/api/v1/elements", { params: { query: { filter } } }))));
    }
  }
  return found;
}
export const elementFacts = (id: string) =>
  all<T.ElementFact>(api.GET("/api/v1/elements/{element_id}/facts", elementId(id)));
export const elementOmissions = (id: string) =>
  all<T.ElementOmission>(api.GET("/api/v1/elements/{element_id}/omissions", elementId(id)));

// ---- sites, mediation policies, discovery rules: each a list to add to, change and remove from ----
const siteId = (id: string) => ({ params: { path: { site_id: id } } });
export const siteList = () => all<T.Site>(api.GET("/api/v1/sites"));
export const sitePage = (query: T.NameQuery) => page<T.Site>(api.GET("/api/v1/sites", { params: { query } }));
export const siteView = (id: string) => data<T.Site>(api.GET("/api/v1/sites/{site_id}", siteId(id)));
export const siteCreate = (body: T.SiteInput) => data<T.Site>(api.POST("/api/v1/sites", { body }));
export const siteUpdate = (id: string, body: T.SiteInput, version: number) =>
  data<T.Site>(api.PATCH("/api/v1/sites/{site_id}", { ...siteId(id), body, headers: changeHeaders(version) }));
export const siteDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/sites/{site_id}", { ...siteId(id), headers: changeHeaders(version) });

const policyId = (id: string) => ({ params: { path: { policy_id: id } } });
export const mediationPolicyList = () => all<T.MediationPolicy>(api.GET("/api/v1/mediation_policies"));
export const policyPage = (query: T.NameQuery) =>
  page<T.MediationPolicy>(api.GET("/api/v1/mediation_policies", { params: { query } }));
export const policyView = (id: string) =>
  data<T.MediationPolicy>(api.GET("/api/v1/mediation_policies/{policy_id}", policyId(id)));
export const mediationPolicyCreate = (body: T.MediationPolicyInput) =>
  data<T.MediationPolicy>(api.POST("/api/v1/mediation_policies", { body }));
export const mediationPolicyUpdate = (id: string, body: T.MediationPolicyChange, version: number) =>
  data<T.MediationPolicy>(
    api.PATCH("/api/v1/mediation_policies/{policy_id}", { ...policyId(id), body, headers: changeHeaders(version) }),
  );
export const mediationPolicyDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/mediation_policies/{policy_id}", { ...policyId(id), headers: changeHeaders(version) });

const profileId = (id: string) => ({ params: { path: { profile_id: id } } });
export const managementProfileList = () => all<T.ManagementProfile>(api.GET("/api/v1/management_profiles"));
export const managementProfileCreate = (body: T.ManagementProfileInput) =>
  data<T.ManagementProfile>(api.POST("/api/v1/management_profiles", { body }));
export const managementProfileUpdate = (id: string, body: T.ManagementProfileInput, version: number) =>
  data<T.ManagementProfile>(
    api.PATCH("/api/v1/management_profiles/{profile_id}", { ...profileId(id), body, headers: changeHeaders(version) }),
  );
export const managementProfileDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/management_profiles/{profile_id}", { ...profileId(id), headers: changeHeaders(version) });

const ruleId = (id: string) => ({ params: { path: { rule_id: id } } });
export const discoveryRuleList = () => all<T.DiscoveryRule>(api.GET("/api/v1/discovery_rules"));
export const discoveryRuleCreate = (body: T.DiscoveryRuleInput) =>
  data<T.DiscoveryRule>(api.POST("/api/v1/discovery_rules", { body }));
export const discoveryRuleUpdate = (id: string, body: T.DiscoveryRuleInput, version: number) =>
  data<T.DiscoveryRule>(
    api.PATCH("/api/v1/discovery_rules/{rule_id}", { ...ruleId(id), body, headers: changeHeaders(version) }),
  );
export const discoveryRuleDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/discovery_rules/{rule_id}", { ...ruleId(id), headers: changeHeaders(version) });
export const discoveryRuleScan = (id: string) =>
  data<T.DiscoveryRule>(api.POST("/api/v1/discovery_rules/{rule_id}/scan", ruleId(id)));
