import { t } from "@lingui/core/macro";
import type { QueryClient } from "@tanstack/react-query";
import { ProblemError } from "@/api/problem";
import { q } from "@/api/queries";
import type { Environment, InstantiateRequest, Vim, Vnfd } from "@/api/types";
import { type Draft } from "./draft";
import { POLICIES } from "@/features/settings/settingFields";
import {
  prefilled,
  choicesOfEnvironment,
  choicesOfInstance,
  choicesOfRequest,
  cloneName,
  PACKAGE,
  type Origin,
} from "./prefill";

/** The value of the option. */
export const keyOf = ({ kind, id }: Origin): string => (kind === "package" ? "" : `${kind} ${id}`);
export function originOf(key: string): Origin {
  const [kind, id = ""] = key.split(" ");
  return kind === "environment" || kind === "instance" || kind === "attempt" ? { kind, id } : PACKAGE;
}

/** Keys: key in additionalParams; values: name of the mediation policy. */
async function policiesOf(client: QueryClient, vnfInstanceId: string): Promise<Record<string, string>> {
  const [elements, policies] = await Promise.all([
    client.query(q.elementsOf(vnfInstanceId)),
    client.query(q.mediationPolicies()),
  ]);
  const [element] = elements;
  const found = POLICIES.map(({ name }) => [name, policies.find(({ id }) => id === element?.[`${name}Id`])?.name]);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** The API does not return secrets. */
export async function readChoices(client: QueryClient, vnfd: Vnfd, vnfInstanceId: string) {
  const [instance, etsi] = await Promise.all([
    client.query(q.vnfInstance(vnfInstanceId)),
    client.query(q.etsiVnfInstance(vnfInstanceId)),
  ]);
  const policies = vnfd.element ? await policiesOf(client, vnfInstanceId) : {};
  const flavourId = etsi.instantiatedVnfInfo?.flavourId ?? "";
  return { instance, chosen: choicesOfInstance(instance, vnfd, flavourId, policies) };
}

/** Undefined if there was no attempt. */
async function readAttempt(client: QueryClient, vnfd: Vnfd, vims: readonly Vim[], vnfInstanceId: string) {
  const operations = await client.query(q.opOccsOf(vnfInstanceId));
  const last = operations
    .filter(({ operation }) => operation === "INSTANTIATE")
    .sort((a, b) => b.startTime.localeCompare(a.startTime))[0];
  if (!last) {
    const leftOut = [{ name: t`Settings`, why: t`It was never instantiated; the package defaults are used.` }];
    return { prefill: { title: t`the last attempt`, leftOut } };
  }
  const { operationParams } = await client.query(q.opOcc(last.id));
  return prefilled(vnfd, vims, choicesOfRequest(operationParams as unknown as InstantiateRequest), t`the last attempt`);
}

const GONE = new ProblemError({
  ...{ status: 404, title: t`The environment no longer exists`, detail: t`Another user has deleted it.` },
  nextStep: t`Start from another one, or from the package defaults.`,
});

export async function readPrefill(
  client: QueryClient,
  vnfd: Vnfd,
  origin: Origin,
  name: string,
): Promise<Partial<Draft>> {
  if (origin.kind === "package") return {};
  const vims = await client.query(q.vims());
  if (origin.kind === "environment") {
    const found = (await client.query(q.environments())).find(({ id }) => id === origin.id);
    if (!found) throw GONE;
    return prefilled(vnfd, vims, choicesOfEnvironment(found), t`environment ${found.name}`);
  }
  if (origin.kind === "attempt") return readAttempt(client, vnfd, vims, origin.id);
  const { instance, chosen } = await readChoices(client, vnfd, origin.id);
  const others = await client.query(q.vnfInstances());
  const patch = prefilled(vnfd, vims, chosen, t`the copy of ${instance.name}`, instance.name);
  const named = others.map((each) => each.name);
  return name.trim() === "" ? { ...patch, name: cloneName(instance.name, named) } : patch;
}

/** An environment of another version shows that version. */
export const versionOf = (environment: Environment, vnfd: Vnfd): string =>
  environment.vnfdId === vnfd.vnfdId
    ? environment.name
    : t`${environment.name} (of ${environment.vnfSoftwareVersion}, VNFD ${environment.vnfdVersion})`;

/** Environments of this version come first. */
export function environmentsOf(environments: readonly Environment[], vnfd: Vnfd): Environment[] {
  const own = ({ vnfdId }: Environment) => Number(vnfdId !== vnfd.vnfdId);
  return environments
    .filter((each) => each.vnfProvider === vnfd.provider && each.vnfProductName === vnfd.productName)
    .sort((a, b) => own(a) - own(b) || a.name.localeCompare(b.name));
}
