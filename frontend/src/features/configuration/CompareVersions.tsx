import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { FormSelect, FormSelectOption, Toolbar, ToolbarContent, ToolbarItem } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { q } from "@/api/queries";
import type { ConfigurationText, ConfigurationVersion, NetworkElement } from "@/api/types";
import { useAddress } from "@/ui/address";
import { dateTime } from "@/ui/format";
import { Panel } from "@/ui/Panel";
import { LoadingNote } from "@/ui/LoadingNote";
import { ProblemAlert } from "@/ui/Problem";
import { useInView } from "@/ui/useInView";
import { useIsUtc } from "@/ui/zone";

const TextDiff = lazy(() => import("@/ui/TextDiff"));

const VERSION = "version";
const WITH = "with";
/** Removes the compared versions from the address, because they belong to one element. */
export const NOTHING_COMPARED = { [VERSION]: "", [WITH]: "" };

interface Compared {
  /** "" when no version is shown. */
  version: string;
  /** The id of the version to compare with, or "". */
  other: string;
  show: (version: string, other: string) => void;
}

/** The address holds the compared versions, so that a link shows them. */
export function useCompared(): Compared {
  const [params, setAddress] = useAddress();
  const show = (version: string, other: string) => setAddress({ [VERSION]: version, [WITH]: other });
  return { version: params.get(VERSION) ?? "", other: params.get(WITH) ?? "", show };
}

type VersionName = Pick<ConfigurationVersion, "id" | "number" | "takenAt">;
const titleOf = ({ number }: VersionName): string => t`Version ${number}`;

interface SelectProps {
  label: string;
  none: string;
  value: string;
  versions: readonly VersionName[];
  onChange: (id: string) => void;
}

function VersionSelect({ label, none, value, versions, onChange }: SelectProps) {
  useIsUtc();
  return (
    <ToolbarItem>
      <FormSelect aria-label={label} value={value} onChange={(_event, id) => onChange(id)}>
        <FormSelectOption value="" label={none} />
        {versions.map((each) => (
          <FormSelectOption key={each.id} value={each.id} label={`${titleOf(each)}, ${dateTime(each.takenAt)}`} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}

function Differences({ before, after }: { before: ConfigurationText; after: ConfigurationText }) {
  if (before.text === after.text)
    return (
      <p>
        <Trans>No differences.</Trans>
      </p>
    );
  return (
    <Suspense
      fallback={
        <LoadingNote>
          <Trans>Comparing…</Trans>
        </LoadingNote>
      }
    >
      <TextDiff
        before={{ title: titleOf(before), text: before.text }}
        after={{ title: titleOf(after), text: after.text }}
      />
    </Suspense>
  );
}

interface Props {
  element: NetworkElement;
  compared: Compared;
  /** The rows of the shown page; the compared versions may be on others. */
  rows: readonly ConfigurationVersion[];
}

export function CompareVersions({ element, compared: { version, other, show }, rows }: Props) {
  const after = useQuery({ ...q.configurationText(element.id, version), enabled: version !== "" });
  const before = useQuery({ ...q.configurationText(element.id, other), enabled: other !== "" });
  // The panel is below a long list of versions.
  const panel = useInView<HTMLDivElement>(after.data ? `${version} ${other}` : "", "nearest");
  if (rows.length === 0 && version === "" && other === "") return null;
  const known = new Map<string, VersionName>(rows.map((each) => [each.id, each]));
  for (const each of [after.data, before.data]) if (each) known.set(each.id, each);
  const versions = [...known.values()].sort((a, b) => b.number - a.number);
  const failed = [after, before].find(({ error, data }) => error !== null && !data)?.error;
  const waits = (version !== "" && !after.data) || (other !== "" && !before.data);
  const [shown, previous] = [after.data, before.data];
  const title =
    shown && previous && shown.id !== previous.id
      ? t`Versions ${previous.number} and ${shown.number}`
      : shown
        ? titleOf(shown)
        : t`Compare versions`;
  return (
    <div ref={panel}>
      <Panel title={title}>
        <Toolbar className="vm-toolbar" aria-label={t`Compared versions`}>
          <ToolbarContent>
            <VersionSelect
              label={t`Compare from`}
              none={t`Compare from…`}
              value={other}
              versions={versions.filter(({ id }) => id !== version || id === other)}
              onChange={(id) => show(version, id)}
            />
            <VersionSelect
              label={t`Compare to`}
              none={t`Compare to…`}
              value={version}
              versions={versions.filter(({ id }) => id !== other || id === version)}
              onChange={(id) => show(id, other)}
            />
          </ToolbarContent>
        </Toolbar>
        {failed ? (
          <ProblemAlert error={failed} />
        ) : waits ? (
          <LoadingNote>
            <Trans>Loading the versions…</Trans>
          </LoadingNote>
        ) : !shown ? (
          <p className="vm-quiet">
            <Trans>Choose a version to read it, and a second one to compare.</Trans>
          </p>
        ) : previous && previous.id !== shown.id ? (
          <Differences before={previous} after={shown} />
        ) : (
          <pre className="vm-config">{shown.text}</pre>
        )}
      </Panel>
    </div>
  );
}
