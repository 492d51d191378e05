import {
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import { vimDelete } from "@/api/calls";
import { keys, q } from "@/api/queries";
import type { Vim } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { pb } from "@/paths";
import { DataTable } from "@/table/DataTable";
import { ConditionList } from "@/ui/Conditions";
import { memory } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { Panel } from "@/ui/Panel";
import { Quota } from "@/ui/Quota";
import { Screen } from "@/ui/Screen";
import { Ago } from "@/ui/Time";
import { Table } from "@/ui/Table";
import { ProbeButton } from "./CloudsPage";

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <DescriptionList isHorizontal isCompact className="vm-dl">
      {facts.map(([term, value]) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>{value}</DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  );
}

function Access({ vim }: { vim: Vim }) {
  const overrides = Object.entries(vim.endpointOverrides);
  return (
    <Panel title="Access">
      <Facts
        facts={[
          ["Authentication URL", <code key="url">{vim.authUrl}</code>],
          ["Region", vim.region || "—"],
          ["Interface", vim.interface],
          ["Project", `${vim.projectName} (domain ${vim.projectDomainName})`],
          ["User", `${vim.username} (domain ${vim.userDomainName})`],
          ["Password", vim.hasPassword ? "kept sealed" : "none"],
          [
            "TLS",
            vim.insecure ? "certificate not verified" : vim.cacert ? "own CA certificate" : "system's CA certificates",
          ],
          [
            "Endpoint overrides",
            overrides.length === 0
              ? "none"
              : overrides.map(([service, url]) => (
                  <div key={service}>
                    {service}: <code>{url}</code>
                  </div>
                )),
          ],
        ]}
      />
    </Panel>
  );
}

function Quotas({ vim }: { vim: Vim }) {
  const lines = Object.entries(vim.quotas).map(([resource, quota]) => ({ resource, ...quota }));
  if (lines.length === 0) return null;
  return (
    <Panel title="Quotas">
      <Quota lines={lines} />
    </Panel>
  );
}

function Pairs({
  title,
  record,
  head,
}: {
  title: string;
  record: Record<string, boolean | string | null>;
  head: [string, string];
}) {
  const rows = Object.entries(record);
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
          {rows.map(([name, value]) => (
            <Tr key={name}>
              <Th scope="row" dataLabel={head[0]}>
                {name}
              </Th>
              <Td dataLabel={head[1]} modifier="breakWord">
                {capabilityText(value)}
              </Td>
            </Tr>
          ))}
        </Tbody>
      </Table>
    </Panel>
  );
}

function capabilityText(found: boolean | string | null): string {
  if (found === null) return "unknown";
  if (typeof found === "boolean") return found ? "yes" : "no";
  return found;
}

function Resources({ vim }: { vim: Vim }) {
  const { data } = useQuery(q.vimResources(vim.id));
  if (!data) return null;
  return (
    <Panel title="Flavors" count={data.flavors.length}>
      <DataTable
        label="Flavors"
        rows={data.flavors}
        rowKey={(flavor) => flavor.id}
        columns={[
          { title: "Flavor", isName: true, cell: (flavor) => flavor.name, sort: (flavor) => flavor.name },
          { title: "vCPU", cell: (flavor) => flavor.vcpus, sort: (flavor) => flavor.vcpus },
          { title: "Memory", cell: (flavor) => memory(flavor.memoryMib), sort: (flavor) => flavor.memoryMib },
          { title: "Disk", cell: (flavor) => `${flavor.diskGib} GiB`, sort: (flavor) => flavor.diskGib },
          {
            title: "Extra specs",
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

export function Component() {
  const { id = "" } = useParams();
  const { data: vim } = useSuspenseQuery(q.vim(id));
  const navigate = useNavigate();
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  return (
    <Screen
      title={vim.name}
      crumbs={[{ text: "Clouds", to: pb.vims() }]}
      lead={
        <>
          {vim.description}{" "}
          {vim.probedAt && (
            <>
              Probed <Ago at={vim.probedAt} />.
            </>
          )}
        </>
      }
      actions={
        <>
          <ProbeButton vim={vim} />
          <LinkButton to={pb.vimEdit(vim.id)} variant="secondary">
            Edit
          </LinkButton>
          <Button variant="secondary" isDanger onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      }
    >
      <div className="vm-stack">
        <Panel title="Conditions">
          <ConditionList conditions={vim.conditions} />
        </Panel>
        <div className="vm-columns">
          <Access vim={vim} />
          <Quotas vim={vim} />
          <Pairs title="Service versions" record={vim.versions} head={["Service", "Versions"]} />
          <Pairs title="Capabilities" record={vim.capabilities} head={["Capability", "Found"]} />
        </div>
        <Resources vim={vim} />
      </div>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${vim.name}`}
          button="Delete"
          run={() => vimDelete(vim.id)}
          onDone={() => {
            void client.invalidateQueries({ queryKey: keys.vims });
            void navigate(pb.vims());
          }}
          onClose={() => setDeleting(false)}
        >
          The VNF manager forgets this cloud and its credentials; the cloud itself is not touched. A cloud with VNF
          instances is refused.
        </ConfirmDialog>
      )}
    </Screen>
  );
}
