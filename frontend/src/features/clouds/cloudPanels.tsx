import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery } from "@tanstack/react-query";
import { q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { DataTable } from "@/table/DataTable";
import { Facts } from "@/ui/Facts";
import { memory } from "@/ui/format";
import { faultText } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { Quota } from "@/ui/Quota";
import { Table } from "@/ui/Table";
import { Since } from "@/ui/Time";

export function Access({ vim }: { vim: Vim }) {
  const overrides = Object.entries(vim.endpointOverrides);
  return (
    <Panel title={t`Access`}>
      <Facts
        facts={[
          [t`Authentication URL`, <code key="url">{vim.authUrl}</code>],
          [t`Region`, vim.region || "—"],
          [t`Interface`, vim.interface],
          [t`Project`, projectOf(vim)],
          [t`User`, userOf(vim)],
          [t`Password`, vim.hasPassword ? t`encrypted` : t`none`],
          [
            "TLS",
            vim.insecure
              ? t`certificate not verified`
              : vim.cacert
                ? t`custom CA certificate`
                : t`system's CA certificates`,
          ],
          [
            t`Endpoint overrides`,
            overrides.length === 0
              ? t`none`
              : overrides.map(([service, url]) => (
                  <div key={service}>
                    {service}: <code>{url}</code>
                  </div>
                )),
          ],
          [t`Scheduler filters`, vim.schedulerFilters?.join(", ") ?? t`unknown`],
        ]}
      />
    </Panel>
  );
}

function projectOf(vim: Vim): string {
  if (vim.projectId) return `${vim.projectName} (${vim.projectId})`.trim();
  const ofCredential = vim.applicationCredentialId || vim.applicationCredentialName;
  return ofCredential ? vim.projectName || "—" : t`${vim.projectName} (domain ${vim.projectDomainName})`;
}

function userOf(vim: Vim): string {
  const credential = vim.applicationCredentialId || vim.applicationCredentialName;
  if (credential) return t`application credential ${credential}`;
  return t`${vim.username} (domain ${vim.userDomainName})`;
}

export function Quotas({ vim }: { vim: Vim }) {
  const lines = Object.entries(vim.quotas).map(([resource, quota]) => ({ resource, ...quota }));
  if (lines.length === 0) return null;
  return (
    <Panel title={t`Quotas`}>
      <Quota lines={lines} />
    </Panel>
  );
}

type Found = Record<string, boolean | string | null>;

/** The services are shown in this order; others that a newer server reports follow. */
export const SERVICES: Readonly<Record<string, string>> = {
  identity: t`Identity (Keystone)`,
  compute: t`Compute (Nova)`,
  network: t`Networking (Neutron)`,
  image: t`Images (Glance)`,
  orchestration: t`Orchestration (Heat)`,
  hot: t`Newest template version (HOT)`,
  alarming: t`Telemetry alarms (Aodh)`,
};
export const CAPABILITIES: Readonly<Record<string, string>> = {
  admin: t`Administrator role`,
  flavor_create: t`Create Nova flavors`,
  network_share: t`Share networks`,
  hosts: t`List compute hosts`,
  heat_mark_unhealthy: t`Mark Heat resources unhealthy`,
  heat_check_spares_siblings: t`Heat check keeps healthy siblings`,
  alarming: t`Telemetry alarms (Aodh)`,
};

const inOrder = (record: Found, words: Readonly<Record<string, string>>) => [
  ...Object.entries(words).flatMap(([name, text]) =>
    name in record ? [[name, text, record[name] ?? null] as const] : [],
  ),
  ...Object.entries(record).flatMap(([name, value]) =>
    name in words ? [] : [[name, faultText(name.replaceAll("_", " ")), value] as const],
  ),
];

export function Pairs({
  title,
  record,
  words,
  since = {},
  head,
}: {
  title: string;
  record: Found;
  /** Keys: name, in the order of the rows. */
  words: Readonly<Record<string, string>>;
  /** Keys: name; values: since when it has its state. */
  since?: Record<string, string>;
  head: [string, string];
}) {
  const rows = inOrder(record, words);
  if (rows.length === 0) return null;
  return (
    <Panel title={title}>
      <Table aria-label={title}>
        <Thead>
          <Tr>
            <Th>{head[0]}</Th>
            <Th>{head[1]}</Th>
          </Tr>
        </Thead>
        <Tbody>
          {rows.map(([name, text, value]) => (
            <Tr key={name}>
              <Th scope="row" dataLabel={head[0]} title={name}>
                {text}
              </Th>
              <Td dataLabel={head[1]} modifier="breakWord">
                {capabilityText(value)}
                {since[name] && (
                  <span className="vm-quiet">
                    {" "}
                    <Trans>
                      since <Since at={since[name]} />
                    </Trans>
                  </span>
                )}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

function capabilityText(found: boolean | string | null): string {
  if (found === null) return t`unknown`;
  if (typeof found === "boolean") return found ? t`yes` : t`no`;
  return found;
}

export function Resources({ vim }: { vim: Vim }) {
  const { data, error } = useQuery(q.vimResources(vim.id));
  if (error && !data) return <ProblemAlert error={error} level="h2" />;
  if (!data)
    return (
      <LoadingNote>
        <Trans>Loading the resources…</Trans>
      </LoadingNote>
    );
  return (
    <Panel title={t`Nova flavors`} count={data.flavors.length}>
      <DataTable
        label={t`Nova flavors`}
        name="flavors"
        rows={data.flavors}
        rowKey={(flavor) => flavor.id}
        columns={[
          { title: t`Nova flavor`, isName: true, cell: (flavor) => flavor.name, sort: (flavor) => flavor.name },
          { title: "vCPU", cell: (flavor) => flavor.vcpus, sort: (flavor) => flavor.vcpus },
          { title: t`Memory`, cell: (flavor) => memory(flavor.memoryMib), sort: (flavor) => flavor.memoryMib },
          { title: t`Disk`, cell: (flavor) => t`${flavor.diskGib} GiB`, sort: (flavor) => flavor.diskGib },
          {
            title: t`Extra specs`,
            cell: (flavor) => (
              <code>
                {Object.entries(flavor.extraSpecs)
                  .map(([name, value]) => `${name}=${value}`)
                  .join(" ") || "—"}
              </code>
            ),
          },
        ]}
      />
    </Panel>
  );
}
