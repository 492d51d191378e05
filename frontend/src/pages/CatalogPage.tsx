import { Button, Card, CardBody, CardFooter, CardHeader, CardTitle, Gallery } from "@patternfly/react-core";
import CubesIcon from "@patternfly/react-icons/dist/esm/icons/cubes-icon";
import UploadIcon from "@patternfly/react-icons/dist/esm/icons/upload-icon";
import { useSuspenseQueries } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { q } from "@/api/queries";
import type { Vnfd, VnfPackage } from "@/api/types";
import { OnboardDialog } from "@/forms/package-onboard";
import { pb } from "@/paths";
import { Empty } from "@/ui/Empty";
import { plural } from "@/ui/format";
import { LinkButton } from "@/ui/LinkButton";
import { packageName } from "@/ui/names";
import { Screen } from "@/ui/Screen";
import { ONBOARDING, USAGE, lookOf } from "@/ui/states";
import { StateLabel } from "@/ui/StateLabel";

function PackageCard({ pkg, vnfd }: { pkg: VnfPackage; vnfd: Vnfd | undefined }) {
  const usable = pkg.onboardingState === "ONBOARDED" && pkg.operationalState === "ENABLED" && pkg.vnfdId;
  const name = packageName(pkg);
  return (
    <Card component="article" aria-label={name} className="vm-package">
      <CardHeader>
        <CardTitle component="h2">
          <Link to={pb.vnfPackage(pkg.id)}>{name}</Link>
        </CardTitle>
        <span className="vm-quiet">
          {[pkg.vnfSoftwareVersion, pkg.vnfdVersion && `VNFD ${pkg.vnfdVersion}`].filter(Boolean).join(" · ")}
        </span>
      </CardHeader>
      <CardBody>
        {vnfd && <p className="vm-clamp">{vnfd.description}</p>}
        {vnfd && (
          <ul className="vm-facts" aria-label="At a glance">
            {vnfd.vdus.map((vdu) => (
              <li key={vdu.id}>
                <strong>{vdu.minimum === vdu.maximum ? vdu.minimum : `${vdu.minimum}–${vdu.maximum}`}</strong>{" "}
                {vdu.name}
              </li>
            ))}
            {vnfd.softwareImages.some((image) => image.placeholder) && (
              <li>{plural(vnfd.softwareImages.filter((image) => image.placeholder).length, "placeholder image")}</li>
            )}
          </ul>
        )}
        {pkg.onboardingState === "ERROR" && <p>{pkg.onboardingFailureDetails?.detail}</p>}
      </CardBody>
      <CardFooter className="vm-card-foot">
        <span className="vm-labels">
          <StateLabel look={lookOf(ONBOARDING, pkg.onboardingState)} />
          {pkg.operationalState === "DISABLED" && pkg.onboardingState === "ONBOARDED" && (
            <StateLabel look={lookOf(USAGE, "DISABLED")} />
          )}
          {pkg.usageState === "IN_USE" && <StateLabel look={lookOf(USAGE, pkg.usageState)} />}
        </span>
        {usable && (
          <LinkButton
            to={pb.instantiate(pkg.vnfdId ?? undefined)}
            variant="secondary"
            size="sm"
            aria-label={`Instantiate ${name}`}
          >
            Instantiate
          </LinkButton>
        )}
      </CardFooter>
    </Card>
  );
}

export function Component() {
  const [packages, vnfds] = useSuspenseQueries({ queries: [q.vnfPackages(), q.vnfds()] });
  const [onboarding, setOnboarding] = useState(false);
  const onboard = (
    <Button icon={<UploadIcon />} onClick={() => setOnboarding(true)}>
      Onboard a VNF package
    </Button>
  );
  return (
    <Screen title="Catalog" lead="VNF packages that can be instantiated on a cloud." actions={onboard}>
      {packages.data.length === 0 ? (
        <Empty title="The catalog is empty" icon={CubesIcon} action={onboard}>
          Onboard a VNF package: a zip with a VNFD, its Heat templates and a manifest.
        </Empty>
      ) : (
        <Gallery hasGutter minWidths={{ default: "22rem" }} aria-label="VNF packages">
          {packages.data.map((pkg) => (
            <PackageCard key={pkg.id} pkg={pkg} vnfd={vnfds.data.find((each) => each.vnfdId === pkg.vnfdId)} />
          ))}
        </Gallery>
      )}
      {onboarding && <OnboardDialog onClose={() => setOnboarding(false)} />}
    </Screen>
  );
}
