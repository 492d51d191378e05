import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Button, Gallery } from "@patternfly/react-core";
import CubesIcon from "@patternfly/react-icons/dist/esm/icons/cubes-icon";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import UploadIcon from "@patternfly/react-icons/dist/esm/icons/upload-icon";
import { useSuspenseQueries } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useDropzone } from "react-dropzone";
import { q } from "@/api/queries";
import { PackageCard, type Entry } from "@/features/catalog/PackageCard";
import { PackageTable } from "@/features/catalog/PackageTable";
import { searchParams, matchingEntries, searchOf } from "@/features/catalog/search";
import { SearchBar } from "@/features/catalog/SearchBar";
import { useOnboardDraft } from "@/features/onboarding/useOnboardDraft";
import { ChangeButton } from "@/ui/ActionButton";
import { useAddress } from "@/ui/address";
import { Empty } from "@/ui/Empty";
import { useDisabledReason } from "@/ui/rights";
import { Screen } from "@/ui/Screen";

const OnboardDialog = lazy(() => import("@/features/onboarding/OnboardDialog"));

/** In the address this opens the dialog. */
const ONBOARD = "onboard";

function Packages({ entries, view }: { entries: readonly Entry[]; view: "cards" | "list" }) {
  if (view === "list") return <PackageTable entries={entries} />;
  return (
    <Gallery hasGutter minWidths={{ default: "19rem" }} aria-label={t`VNF packages`}>
      {entries.map((entry) => (
        <PackageCard key={entry.pkg.id} {...entry} />
      ))}
    </Gallery>
  );
}

function useEntries(): Entry[] {
  const [packages, vnfds] = useSuspenseQueries({ queries: [q.vnfPackages(), q.vnfds()] });
  return packages.data.map((pkg) => ({ pkg, vnfd: vnfds.data.find((each) => each.vnfdId === pkg.vnfdId) }));
}

function CatalogPage() {
  const entries = useEntries();
  const [params, setAddress] = useAddress();
  const search = searchOf(params);
  const [draft, changes] = useOnboardDraft();
  const whyNot = useDisabledReason();
  const [wanted, setOnboarding] = useState(false);
  const onboarding = wanted || params.has(ONBOARD);
  const close = () => {
    setOnboarding(false);
    setAddress({ [ONBOARD]: "" }, { typing: true });
  };
  const { getRootProps, isDragActive } = useDropzone({
    ...{ noClick: true, noKeyboard: true, disabled: onboarding || whyNot !== undefined },
    onDrop: (files) => {
      changes.add(files);
      setOnboarding(true);
    },
  });
  const onboard = (
    <ChangeButton icon={<UploadIcon />} onClick={() => setOnboarding(true)}>
      <Trans>Onboard a VNF package</Trans>
    </ChangeButton>
  );
  const shown = matchingEntries(entries, search);
  const providers = [...new Set(entries.flatMap(({ pkg }) => pkg.vnfProvider ?? []))].sort();
  return (
    <div {...getRootProps({ className: `vm-drop-page${isDragActive ? " vm-drop-over" : ""}` })}>
      <Screen title={t`Catalog`} actions={onboard}>
        {entries.length === 0 ? (
          <Empty title={t`The catalog is empty`} icon={CubesIcon} action={onboard}>
            <Trans>Onboard a VNF package, a CSAR, or plain Heat templates with their environment.</Trans>
          </Empty>
        ) : (
          <>
            <SearchBar
              search={search}
              providers={providers}
              onChange={(changed) => setAddress(searchParams(changed), { typing: changed.text !== undefined })}
            />
            {shown.length > 0 ? (
              <Packages entries={shown} view={search.view} />
            ) : (
              <Empty
                title={t`No package matches`}
                icon={SearchIcon}
                action={
                  <Button
                    variant="link"
                    onClick={() => setAddress(searchParams({ text: "", provider: "", state: "" }))}
                  >
                    <Trans>Show all packages</Trans>
                  </Button>
                }
              >
                <Trans>Change the search or the filters.</Trans>
              </Empty>
            )}
          </>
        )}
      </Screen>
      <Suspense>{onboarding && <OnboardDialog draft={draft} changes={changes} onClose={close} />}</Suspense>
    </div>
  );
}

export { CatalogPage as Component };
