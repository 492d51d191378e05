import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Checkbox } from "@patternfly/react-core";
import type { Finding } from "@/api/types";

/** Findings of files that the package lacks and that can be fetched, one for each URL. */
export const missingUrls = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.filter((each) => each.severity === "error" && each.url).map((each) => [each.url, each])).values(),
];

/** Codes of errors that follow from files that are missing; the server's list is the same. */
const CONSEQUENCES = new Set(["ROOT_UNCLEAR", "ENVIRONMENT_UNKNOWN", "DERIVE_NO_SERVER"]);

/** Whether nothing is wrong but that files are missing which can be fetched: only then the server fetches them. */
export const fetchSuffices = (findings: readonly Finding[]): boolean =>
  findings.every(({ severity, url, code }) => severity !== "error" || Boolean(url) || CONSEQUENCES.has(code));

interface Props {
  missing: readonly Finding[];
  /** URLs that may be fetched. */
  allowed: readonly string[];
  disabled: boolean;
  onAllow: (urls: readonly string[]) => void;
}

/** Which URLs the templates name, and whether they may be fetched: never without being allowed. */
export function ExternalFilesField({ missing, allowed, disabled, onAllow }: Props) {
  if (missing.length === 0) return null;
  const urls = missing.map((each) => each.url ?? "");
  const checked = urls.every((url) => allowed.includes(url));
  return (
    <section aria-label={t`Files from other servers`} className="vm-stack">
      <p>
        <Trans>The templates name files that are not in the package:</Trans>
      </p>
      <ul>
        {missing.map(({ url, file, line }) => (
          <li key={url}>
            <code>{url}</code>{" "}
            <span className="vm-quiet">
              <Trans>
                {file}, line {line}
              </Trans>
            </span>
          </li>
        ))}
      </ul>
      <Checkbox
        id="onboard-fetch"
        label={t`Fetch and store these files`}
        isChecked={checked}
        isDisabled={disabled}
        onChange={(_event, allow) =>
          onAllow(allow ? [...new Set([...allowed, ...urls])] : allowed.filter((url) => !urls.includes(url)))
        }
      />
    </section>
  );
}
