import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Card, CardBody, CardFooter, CardHeader, CardTitle } from "@patternfly/react-core";
import { Link } from "react-router";
import type { Vnfd, VnfPackage } from "@/api/types";
import { pb } from "@/paths";
import { LinkButton } from "@/ui/LinkButton";
import { packageName } from "@/ui/names";
import { ONBOARDING, USAGE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";
import { stateOf } from "./packageActions";

export interface Entry {
  pkg: VnfPackage;
  /** Only an enabled package has one. */
  vnfd: Vnfd | undefined;
}

export function PackageStates({ pkg }: { pkg: VnfPackage }) {
  return (
    <span className="vm-labels">
      <StateLabel look={lookOf(ONBOARDING, pkg.onboardingState)} />
      {stateOf(pkg) === "disabled" && <StateLabel look={lookOf(USAGE, "DISABLED")} />}
      {pkg.usageState === "IN_USE" && <StateLabel look={lookOf(USAGE, pkg.usageState)} />}
    </span>
  );
}

export function InstantiateLink({ pkg }: { pkg: VnfPackage }) {
  if (stateOf(pkg) !== "usable") return null;
  return (
    <LinkButton
      needs="operator"
      to={pb.instantiate(pkg.vnfdId)}
      variant="secondary"
      size="sm"
      aria-label={t`Instantiate ${packageName(pkg)}`}
    >
      <Trans>Instantiate</Trans>
    </LinkButton>
  );
}

export const versionText = (pkg: VnfPackage): string =>
  [pkg.vnfSoftwareVersion, pkg.vnfdVersion && t`VNFD ${pkg.vnfdVersion}`].filter(Boolean).join(" · ");

export function PackageCard({ pkg, vnfd }: Entry) {
  const name = packageName(pkg);
  const placeholders = vnfd?.softwareImages.filter((image) => image.placeholder).length ?? 0;
  return (
    <Card component="article" aria-label={name} className="vm-package" isCompact>
      <CardHeader>
        <CardTitle component="h2">
          <Link to={pb.vnfPackage(pkg.id)}>{name}</Link>
        </CardTitle>
        <span className="vm-quiet">{versionText(pkg)}</span>
      </CardHeader>
      <CardBody>
        {vnfd && <p className="vm-clamp">{vnfd.description}</p>}
        {vnfd && (
          <ul className="vm-facts" aria-label={t`Overview`}>
            {vnfd.vdus.map((vdu) => (
              <li key={vdu.id}>
                <strong>{vdu.minimum === vdu.maximum ? vdu.minimum : `${vdu.minimum}–${vdu.maximum}`}</strong>{" "}
                {vdu.maximum > 1 ? vdu.name.replace(/ VM$/, " VMs") : vdu.name}
              </li>
            ))}
            {placeholders > 0 && (
              <li>{plural(placeholders, { one: "# placeholder image", other: "# placeholder images" })}</li>
            )}
          </ul>
        )}
        {pkg.onboardingFailureDetails && <p>{pkg.onboardingFailureDetails.detail}</p>}
      </CardBody>
      <CardFooter className="vm-card-foot">
        <PackageStates pkg={pkg} />
        <InstantiateLink pkg={pkg} />
      </CardFooter>
    </Card>
  );
}
