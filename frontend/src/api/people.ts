import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components, operations } from "./__generated__/schema";
import { all, api, csvHref, data, MERGE_PATCH, page } from "./client";
import { changeHeaders } from "./http";

type S = components["schemas"];

export type User = S["User"];
export type UserRole = S["RoleEnum"];
export type UserInput = S["UserCreateRequest"];
export type UserChange = S["PatchedUserUpdateRequest"];
export type PasswordChange = S["PasswordRequest"];
export type ApiToken = S["ApiToken"];
export type ApiTokenInput = S["ApiTokenRequest"];
/** The API returns the secret only once. */
export type IssuedToken = S["IssuedToken"];
export type ApiClient = S["ApiClient"];
export type ApiClientInput = S["ApiClientCreateRequest"];
type ApiClientChange = S["PatchedApiClientUpdateRequest"];
/** The API returns the secret only once. */
export type IssuedApiClient = S["IssuedApiClient"];
export type AuditEntry = S["AuditEntryOut"];
export type AuditQuery = operations["audit_list"]["parameters"]["query"];

export const peopleKeys = {
  users: ["users"],
  apiTokens: ["api_tokens"],
  apiClients: ["api_clients"],
  audit: ["audit"],
  userTokens: (id: string) => ["users", id, "api_tokens"],
};

const userId = (id: string) => ({ params: { path: { user_id: id } } });
export const userCreate = (body: UserInput) => data<User>(api.POST("/api/v1/users", { body }));
export const userUpdate = (id: string, body: UserChange, version: number) =>
  data<User>(
    api.PATCH("/api/v1/users/{user_id}", {
      ...userId(id),
      body,
      headers: { ...MERGE_PATCH, ...changeHeaders(version) },
    }),
  );
export const passwordChange = (body: PasswordChange) => api.PUT("/api/v1/session/password", { body });
export const apiTokenCreate = (body: ApiTokenInput) => data<IssuedToken>(api.POST("/api/v1/api_tokens", { body }));
export const userTokenRevoke = (user: string, id: string) =>
  api.DELETE("/api/v1/users/{user_id}/api_tokens/{token_id}", { params: { path: { user_id: user, token_id: id } } });
export const apiTokenRevoke = (id: string) =>
  api.DELETE("/api/v1/api_tokens/{token_id}", { params: { path: { token_id: id } } });
const apiClientId = (id: string) => ({ params: { path: { client_id: id } } });
export const apiClientCreate = (body: ApiClientInput) =>
  data<IssuedApiClient>(api.POST("/api/v1/api_clients", { body }));
export const apiClientUpdate = (id: string, body: ApiClientChange, version: number) =>
  data<ApiClient>(
    api.PATCH("/api/v1/api_clients/{client_id}", {
      ...apiClientId(id),
      body,
      headers: { ...MERGE_PATCH, ...changeHeaders(version) },
    }),
  );
export const apiClientRenew = (id: string) =>
  data<IssuedApiClient>(api.POST("/api/v1/api_clients/{client_id}/secret", apiClientId(id)));
export const auditCsvHref = (query: AuditQuery): string => csvHref("/api/v1/audit.csv", query);

/** Audit entries publish no events, which would be as many as requests. */
const LOOK_MS = 30_000;

export const peopleQueries = {
  users: () => queryOptions({ queryKey: peopleKeys.users, queryFn: () => all<User>(api.GET("/api/v1/users")) }),
  apiClients: () =>
    queryOptions({ queryKey: peopleKeys.apiClients, queryFn: () => all<ApiClient>(api.GET("/api/v1/api_clients")) }),
  apiTokens: () =>
    queryOptions({ queryKey: peopleKeys.apiTokens, queryFn: () => all<ApiToken>(api.GET("/api/v1/api_tokens")) }),
  userTokens: (id: string) =>
    queryOptions({
      queryKey: peopleKeys.userTokens(id),
      queryFn: () => all<ApiToken>(api.GET("/api/v1/users/{user_id}/api_tokens", userId(id))),
    }),
  audit: (query: AuditQuery) =>
    queryOptions({
      queryKey: [...peopleKeys.audit, query],
      queryFn: () => page<AuditEntry>(api.GET("/api/v1/audit", { params: { query } })),
      placeholderData: keepPreviousData,
      refetchInterval: LOOK_MS,
    }),
};
