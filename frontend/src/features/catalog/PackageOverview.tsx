import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Alert, Label } from "@patternfly/react-core";
import { packageContentHref, packageCsarHref } from "@/api/calls";
import type { PackageSignature, Vnfd, VnfPackage } from "@/api/types";
import { Facts, type Fact } from "@/ui/Facts";
import { bytes } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { SIGNATURE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { DescriptorSummary } from "./DescriptorSummary";
import { PlainTable } from "@/ui/PlainTable";

function Images({ vnfd }: { vnfd: Vnfd }) {
  const rows = vnfd.softwareImages.map((image) => ({
    key: image.id,
    cells: [
      <span key="name">
        {image.name}{" "}
        {image.placeholder && (
          <Label isCompact color="orange" variant="outline">
            <Trans>Placeholder</Trans>
          </Label>
        )}
      </span>,
      image.size ? bytes(image.size) : "—",
      image.sha256 ? <code key="sum">{image.sha256.slice(0, 16)}…</code> : "—",
      image.parameter ? <code key="parameter">{image.parameter}</code> : "—",
    ],
  }));
  return (
    <Panel title={t`Software images`} count={rows.length}>
      {vnfd.softwareImages.some((image) => image.placeholder) && (
        <Alert isInline isPlain variant="warning" component="h3" title={t`Placeholder for the licensed image`}>
          <Trans>It boots but does not route. Set your own image when you instantiate.</Trans>
        </Alert>
      )}
      <PlainTable label={t`Software images`} head={[t`Image`, t`Size`, "SHA-256", t`HOT parameter`]} rows={rows} />
    </Panel>
  );
}

function Signature({ signature }: { signature: PackageSignature }) {
  const by = signature.subject && t`By ${signature.subject}, certified by ${signature.issuer ?? t`none`}.`;
  return (
    <>
      <StateLabel look={SIGNATURE[signature.state]} /> {[by, signature.reason].filter(Boolean).join(" ")}
    </>
  );
}

function About({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  const facts: Fact[] = [
    [t`Provider`, pkg.vnfProvider ?? "—"],
    [t`Product`, pkg.vnfProductName ?? "—"],
    [t`Software version`, pkg.vnfSoftwareVersion ?? "—"],
    [t`VNFD version`, pkg.vnfdVersion ?? "—"],
    [t`VNFD id`, <code key="id">{pkg.vnfdId ?? "—"}</code>],
    [t`Checksum`, pkg.checksum ? <code key="sum">{`${pkg.checksum.algorithm} ${pkg.checksum.hash}`}</code> : "—"],
    [t`Signature`, pkg.signature ? <Signature key="signature" signature={pkg.signature} /> : "—"],
    [
      t`Content`,
      pkg.onboardingState === "ONBOARDED" ? (
        <span key="content">
          <Trans>
            <a href={packageContentHref(pkg.id)} download>
              Download as uploaded
            </a>{" "}
            or{" "}
            <a href={packageCsarHref(pkg.id)} download>
              as a CSAR
            </a>
          </Trans>
        </span>
      ) : (
        "—"
      ),
    ],
  ];
  if (vnfd && vnfd.notes.length > 0)
    facts.push([
      t`Notes`,
      <ul key="notes" className="vm-sentences">
        {vnfd.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>,
    ]);
  return (
    <Panel title={t`Package`}>
      {vnfd && <p className="vm-para">{vnfd.description}</p>}
      <Facts facts={facts} />
    </Panel>
  );
}

export function PackageOverview({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  return (
    <div className="vm-stack">
      <About pkg={pkg} vnfd={vnfd} />
      {vnfd && (
        <Panel title={t`Overview`}>
          <DescriptorSummary vnfd={vnfd} />
        </Panel>
      )}
      {vnfd && vnfd.softwareImages.length > 0 && <Images vnfd={vnfd} />}
    </div>
  );
}
