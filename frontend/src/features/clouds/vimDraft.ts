import { t } from "@lingui/core/macro";
import { splitFieldErrors, type FieldErrors } from "@/api/problem";
import type { ProblemDetails, ProblemFieldError, Vim, VimInput } from "@/api/types";

/** Lists are lines of text and overrides "service=url", because users type them so. */
export type VimDraft = Omit<VimInput, "endpointOverrides" | "password" | "schedulerFilters"> & {
  password: string;
  endpointOverrides: string;
  schedulerFilters: string;
};

export const INTERFACES = ["public", "internal", "admin"] as const;

export const emptyVim: VimDraft = {
  name: "",
  description: "",
  authUrl: "",
  region: "",
  interface: "public",
  userDomainName: "Default",
  projectDomainName: "Default",
  projectName: "",
  projectId: "",
  username: "",
  applicationCredentialId: "",
  applicationCredentialName: "",
  password: "",
  cacert: "",
  insecure: false,
  endpointOverrides: "",
  schedulerFilters: "",
};

export function draftOf(vim: Vim): VimDraft {
  const {
    name,
    description,
    authUrl,
    region,
    userDomainName,
    projectDomainName,
    projectName,
    projectId,
    username,
    applicationCredentialId,
    applicationCredentialName,
    cacert,
    insecure,
  } = vim;
  return {
    ...{
      name,
      description,
      authUrl,
      region,
      userDomainName,
      projectDomainName,
      projectName,
      projectId,
      username,
      applicationCredentialId,
      applicationCredentialName,
      cacert,
      insecure,
    },
    interface: INTERFACES.find((each) => each === vim.interface) ?? "public",
    password: "",
    endpointOverrides: Object.entries(vim.endpointOverrides)
      .map(([service, url]) => `${service}=${url}`)
      .join("\n"),
    schedulerFilters: (vim.schedulerFilters ?? []).join("\n"),
  };
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function overridesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    lines(text).map((line) => {
      const at = line.indexOf("=");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** Users type these with commas, as in nova.conf, or one per line. */
const namesOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** An empty password keeps the stored one. */
export function toVimInput(draft: VimDraft): VimInput {
  const { password, endpointOverrides, schedulerFilters, ...plain } = draft;
  const filters = namesOf(schedulerFilters);
  return {
    ...plain,
    endpointOverrides: overridesOf(endpointOverrides),
    schedulerFilters: filters.length > 0 ? filters : null,
    ...(password ? { password } : {}),
  };
}

/** Only changed fields are sent, so that concurrent changes of other fields survive. */
export const changesOf = (draft: VimDraft, begun: VimDraft): Partial<VimInput> =>
  Object.fromEntries(
    Object.entries(toVimInput(draft)).filter(
      ([field]) => draft[field as keyof VimDraft] !== begun[field as keyof VimDraft],
    ),
  );

/** Another user or tab has changed this field; `typed` is set if the draft would replace that value. */
export interface VimChange {
  field: keyof VimDraft;
  was: string;
  now: string;
  typed?: string;
}

/** Fields that the user has not touched follow the stored VIM; touched fields keep the typed values. */
export function rebased(begun: VimDraft, now: VimDraft, draft: VimDraft): { draft: VimDraft; changes: VimChange[] } {
  const fields = (Object.keys(begun) as (keyof VimDraft)[]).filter((field) => begun[field] !== now[field]);
  const touched = fields.filter((field) => draft[field] !== begun[field] && draft[field] !== now[field]);
  const kept = Object.fromEntries(touched.map((field) => [field, draft[field]]));
  const text = (value: string | boolean) =>
    typeof value === "boolean" ? (value ? t`yes` : t`no`) : value || t`nothing`;
  return {
    draft: { ...draft, ...Object.fromEntries(fields.map((field) => [field, now[field]])), ...kept },
    changes: fields.map((field) => ({
      ...{ field, was: text(begun[field]), now: text(now[field]) },
      ...(touched.includes(field) ? { typed: text(draft[field]) } : {}),
    })),
  };
}

const isHttp = (text: string) => /^https?:\/\/[^/\s]+/.test(text) && URL.canParse(text);

/** These fields decide which server gets the password, so the stored password is not sent after a change of them. */
const DESTINATION = ["authUrl", "cacert", "insecure", "endpointOverrides"] as const;

/** `begun` is the stored VIM; undefined for a new one. */
export function vimErrors(draft: VimDraft, begun: VimDraft | undefined): FieldErrors {
  const errors: FieldErrors = {};
  const need = (field: keyof VimDraft, message: string) => {
    if (String(draft[field]).trim() === "") errors[field] = message;
  };
  need("name", t`Enter a name.`);
  const { applicationCredentialId, applicationCredentialName, projectId } = draft;
  if (!applicationCredentialId) {
    need("username", t`Enter the user name.`);
    need("userDomainName", t`Enter the user's domain, often Default.`);
  }
  if (!applicationCredentialId && !applicationCredentialName && !projectId) {
    need("projectName", t`Enter the project.`);
    need("projectDomainName", t`Enter the project's domain, often Default.`);
  }
  if (!begun) need("password", t`Enter the password.`);
  else if (DESTINATION.some((field) => draft[field] !== begun[field]))
    need("password", t`Enter the password again: it is sent to another server.`);
  if (!isHttp(draft.authUrl.trim()))
    errors["authUrl"] = t`Enter the Keystone URL, such as https://keystone.example:5000/v3.`;
  if (draft.cacert.trim() && !draft.cacert.includes("-----BEGIN CERTIFICATE-----")) {
    errors["cacert"] = t`Paste the certificate in PEM form, beginning with -----BEGIN CERTIFICATE-----.`;
  }
  const bad = lines(draft.endpointOverrides).find(
    (line) => !/^[\w-]+\s*=/.test(line) || !isHttp(line.slice(line.indexOf("=") + 1).trim()),
  );
  if (bad) errors["endpointOverrides"] = t`Not "service=URL": ${bad}`;
  const odd = namesOf(draft.schedulerFilters).find((name) => !/^[A-Za-z][\w.]*$/.test(name));
  if (odd) errors["schedulerFilters"] = t`Not a filter name: ${odd}`;
  return errors;
}

export function vimProblemFields(problem: ProblemDetails): { fields: FieldErrors; rest: ProblemFieldError[] } {
  return splitFieldErrors(problem.errors, ([head = ""]) => (head in emptyVim ? head : undefined));
}
