import {
  Alert,
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Label,
} from "@patternfly/react-core";
import { Tbody, Td, Th, Thead, Tr } from "@patternfly/react-table";
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { vnfPackageDelete, vnfPackageSetState } from "@/api/calls";
import { keys, q } from "@/api/queries";
import type { Vnfd, VnfPackage } from "@/api/types";
import { ConfirmDialog } from "@/forms/confirm";
import { pb } from "@/paths";
import { bytes, needsText, valueText } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { packageName } from "@/ui/names";
import { Panel } from "@/ui/Panel";
import { ProblemAlert } from "@/ui/Problem";
import { Screen } from "@/ui/Screen";
import { ONBOARDING, USAGE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { Table } from "@/ui/Table";

function Rows({
  label,
  head,
  rows,
}: {
  label: string;
  head: string[];
  rows: { key: string; cells: React.ReactNode[] }[];
}) {
  return (
    <Table aria-label={label}>
      <Thead>
        <Tr>
          {head.map((title) => (
            <Th key={title}>{title}</Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {rows.map(({ key, cells }) => (
          <Tr key={key}>
            {cells.map((cell, index) => (
              <Td key={head[index]} dataLabel={head[index]}>
                {cell}
              </Td>
            ))}
          </Tr>
        ))}
      </Tbody>
    </Table>
  );
}

function Vdus({ vnfd }: { vnfd: Vnfd }) {
  const rows = vnfd.vdus.map((vdu) => ({
    key: vdu.id,
    cells: [
      <strong key="name">{vdu.name}</strong>,
      vdu.minimum === vdu.maximum ? vdu.minimum : `${vdu.minimum} to ${vdu.maximum}`,
      needsText(vdu.needs),
      vdu.description,
    ],
  }));
  return (
    <Panel title="VDUs and what they need" count={rows.length}>
      <Rows label="VDUs" head={["VDU", "VNFCs", "Needs", "Description"]} rows={rows} />
    </Panel>
  );
}

function Flavours({ vnfd }: { vnfd: Vnfd }) {
  return (
    <Panel title="Flavours and scaling">
      {vnfd.flavours.map((flavour) => (
        <div key={flavour.id} className="vm-stack">
          <p>
            <strong>{flavour.id}</strong> {flavour.description}
          </p>
          <Rows
            label={`Instantiation levels of ${flavour.id}`}
            head={["Instantiation level", "Scale", "Description"]}
            rows={flavour.instantiationLevels.map((level) => ({
              key: level.id,
              cells: [
                <span key="id">
                  {level.id}{" "}
                  {level.id === flavour.defaultInstantiationLevelId && <span className="vm-quiet">(default)</span>}
                </span>,
                Object.entries(level.scale)
                  .map(([aspect, n]) => `${aspect}: ${n}`)
                  .join(", ") || "—",
                level.description,
              ],
            }))}
          />
          {flavour.scalingAspects.length > 0 && (
            <Rows
              label={`Scaling aspects of ${flavour.id}`}
              head={["Scaling aspect", "Levels", "One step", "Description"]}
              rows={flavour.scalingAspects.map((aspect) => ({
                key: aspect.id,
                cells: [
                  aspect.name,
                  `0 to ${aspect.maxScaleLevel}`,
                  `${aspect.step} × ${aspect.vduId}`,
                  aspect.description,
                ],
              }))}
            />
          )}
        </div>
      ))}
    </Panel>
  );
}

function Images({ vnfd }: { vnfd: Vnfd }) {
  const rows = vnfd.softwareImages.map((image) => ({
    key: image.id,
    cells: [
      <span key="name">
        {image.name}{" "}
        {image.placeholder && (
          <Label isCompact color="orange" variant="outline">
            Placeholder
          </Label>
        )}
      </span>,
      image.size ? bytes(image.size) : "—",
      image.sha256 ? <code key="sum">{image.sha256.slice(0, 16)}…</code> : "—",
      image.parameter ? <code key="parameter">{image.parameter}</code> : "—",
    ],
  }));
  return (
    <Panel title="Software images" count={rows.length}>
      {vnfd.softwareImages.some((image) => image.placeholder) && (
        <Alert isInline isPlain variant="warning" component="h3" title="A placeholder stands in for the licensed image">
          It boots but routes nothing. Give your own image in the settings when instantiating.
        </Alert>
      )}
      <Rows label="Software images" head={["Image", "Size", "SHA-256", "HOT parameter"]} rows={rows} />
    </Panel>
  );
}

function Settings({ vnfd }: { vnfd: Vnfd }) {
  return (
    <Panel title="Settings" count={vnfd.settings.length}>
      <Rows
        label="Settings"
        head={["Setting", "Group", "Type", "Default", "Description"]}
        rows={vnfd.settings.map((setting) => ({
          key: setting.name,
          cells: [
            <span key="label">
              {setting.label} <code className="vm-quiet">{setting.name}</code>
            </span>,
            setting.group,
            setting.format ?? setting.type,
            setting.hidden ? "hidden" : valueText(setting.default),
            setting.description,
          ],
        }))}
      />
    </Panel>
  );
}

function Links({ vnfd }: { vnfd: Vnfd }) {
  return (
    <Panel title="Virtual links" count={vnfd.virtualLinks.length}>
      <Rows
        label="Virtual links"
        head={["Virtual link", "Kind", "vNIC", "Description"]}
        rows={vnfd.virtualLinks.map((link) => ({
          key: link.id,
          cells: [link.name, link.internal ? "internal" : "external", link.vnicType || "normal", link.description],
        }))}
      />
    </Panel>
  );
}

function Facts({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  const facts: [string, React.ReactNode][] = [
    ["Provider", pkg.vnfProvider ?? "—"],
    ["Product", pkg.vnfProductName ?? "—"],
    ["Software version", pkg.vnfSoftwareVersion ?? "—"],
    ["VNFD version", pkg.vnfdVersion ?? "—"],
    ["VNFD id", <code key="id">{pkg.vnfdId ?? "—"}</code>],
  ];
  return (
    <Panel title="Package">
      {vnfd && <p className="vm-para">{vnfd.description}</p>}
      <DescriptionList isHorizontal isCompact className="vm-dl">
        {facts.map(([term, value]) => (
          <DescriptionListGroup key={term}>
            <DescriptionListTerm>{term}</DescriptionListTerm>
            <DescriptionListDescription>{value}</DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
      {vnfd?.notes.map((note) => (
        <Alert key={note} isInline isPlain variant="info" component="h3" title={note} />
      ))}
    </Panel>
  );
}

export function Component() {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: pkg } = useSuspenseQuery(q.vnfPackage(id));
  const { data: vnfd, error } = useQuery({ ...q.vnfd(pkg.vnfdId ?? ""), enabled: Boolean(pkg.vnfdId) });
  const [deleting, setDeleting] = useState(false);
  const enabled = pkg.operationalState === "ENABLED";
  const refresh = () => client.invalidateQueries({ queryKey: keys.vnfPackage(id) });
  const toggle = useMutation({
    mutationFn: () => vnfPackageSetState(id, enabled ? "DISABLED" : "ENABLED"),
    onSuccess: () => Promise.all([refresh(), client.invalidateQueries({ queryKey: keys.vnfPackages })]),
  });
  const onboarded = pkg.onboardingState === "ONBOARDED";
  return (
    <Screen
      title={packageName(pkg)}
      crumbs={[{ text: "Catalog", to: pb.catalog() }]}
      labels={
        <>
          <StateLabel look={lookOf(ONBOARDING, pkg.onboardingState)} />
          {onboarded && !enabled && <StateLabel look={lookOf(USAGE, "DISABLED")} />}
          <StateLabel look={lookOf(USAGE, pkg.usageState)} />
        </>
      }
      lead={pkg.vnfSoftwareVersion ? `Software ${pkg.vnfSoftwareVersion}` : undefined}
      actions={
        <>
          {onboarded && enabled && pkg.vnfdId && <LinkButton to={pb.instantiate(pkg.vnfdId)}>Instantiate</LinkButton>}
          {onboarded && (
            <Button variant="secondary" isLoading={toggle.isPending} onClick={() => toggle.mutate()}>
              {enabled ? "Disable" : "Enable"}
            </Button>
          )}
          <Button variant="secondary" isDanger onClick={() => setDeleting(true)}>
            Delete
          </Button>
        </>
      }
    >
      <div className="vm-stack">
        {toggle.isError && <ProblemAlert error={toggle.error} />}
        {pkg.onboardingFailureDetails && <ProblemAlert error={pkg.onboardingFailureDetails} />}
        {error && <ProblemAlert error={error} />}
        <Facts pkg={pkg} vnfd={vnfd} />
        {vnfd && (
          <>
            <Vdus vnfd={vnfd} />
            <Flavours vnfd={vnfd} />
            <Links vnfd={vnfd} />
            <Images vnfd={vnfd} />
            <Settings vnfd={vnfd} />
          </>
        )}
      </div>
      {deleting && (
        <ConfirmDialog
          title={`Delete ${packageName(pkg)}`}
          button="Delete"
          onClose={() => setDeleting(false)}
          run={() => vnfPackageDelete(id)}
          onDone={() => {
            client.removeQueries({ queryKey: keys.vnfPackage(id) });
            void client.invalidateQueries({ queryKey: keys.vnfPackages });
            void navigate(pb.catalog());
          }}
        >
          The package and its files leave the catalog. A package in use, or not disabled, is refused.
        </ConfirmDialog>
      )}
    </Screen>
  );
}
