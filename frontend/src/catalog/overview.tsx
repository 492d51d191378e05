import { Alert, Label } from "@patternfly/react-core";
import { packageContentHref, packageCsarHref } from "@/api/calls";
import type { PackageSignature, Vnfd, VnfPackage } from "@/api/types";
import { Facts, type Fact } from "@/ui/Facts";
import { bytes } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { SIGNATURE } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { DescriptorSummary } from "./DescriptorSummary";
import { Rows } from "./Rows";

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

function Signature({ signature }: { signature: PackageSignature }) {
  const by = signature.subject && `By ${signature.subject}, says ${signature.issuer ?? "nobody"}.`;
  return (
    <>
      <StateLabel look={SIGNATURE[signature.state]} /> {[by, signature.reason].filter(Boolean).join(" ")}
    </>
  );
}

function About({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  const facts: Fact[] = [
    ["Provider", pkg.vnfProvider ?? "—"],
    ["Product", pkg.vnfProductName ?? "—"],
    ["Software version", pkg.vnfSoftwareVersion ?? "—"],
    ["VNFD version", pkg.vnfdVersion ?? "—"],
    ["VNFD id", <code key="id">{pkg.vnfdId ?? "—"}</code>],
    ["Checksum", pkg.checksum ? <code key="sum">{`${pkg.checksum.algorithm} ${pkg.checksum.hash}`}</code> : "—"],
    ["Signature", pkg.signature ? <Signature key="signature" signature={pkg.signature} /> : "—"],
    [
      "Content",
      pkg.onboardingState === "ONBOARDED" ? (
        <span key="content" className="vm-labels">
          <a href={packageContentHref(pkg.id)} download>
            Download as it was uploaded
          </a>
          <span className="vm-quiet">or</span>
          <a href={packageCsarHref(pkg.id)} download>
            as a CSAR
          </a>
        </span>
      ) : (
        "—"
      ),
    ],
  ];
  return (
    <Panel title="Package">
      {vnfd && <p className="vm-para">{vnfd.description}</p>}
      <Facts facts={facts} />
      {vnfd?.notes.map((note) => (
        <Alert key={note} isInline isPlain variant="info" component="h3" title={note} />
      ))}
    </Panel>
  );
}

/** What the package is, in short. */
export function Overview({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  return (
    <div className="vm-stack">
      <About pkg={pkg} vnfd={vnfd} />
      {vnfd && (
        <Panel title="At a glance">
          <DescriptorSummary vnfd={vnfd} />
        </Panel>
      )}
      {vnfd && vnfd.softwareImages.length > 0 && <Images vnfd={vnfd} />}
    </div>
  );
}
