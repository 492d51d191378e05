import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Checkbox } from "@patternfly/react-core";
import type { Finding } from "@/api/types";

export const missingUrls = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.filter((each) => each.severity === "error" && each.url).map((each) => [each.url, each])).values(),
];

/** These errors follow from missing files; the server has the same list. */
const CONSEQUENCES = new Set(["ROOT_UNCLEAR", "ENVIRONMENT_UNKNOWN", "DERIVE_NO_SERVER"]);

/** The server fetches missing files only if nothing else is wrong. */
export const fetchSuffices = (findings: readonly Finding[]): boolean =>
  findings.every(({ severity, url, code }) => severity !== "error" || Boolean(url) || CONSEQUENCES.has(code));

interface Props {
  missing: readonly Finding[];
  /** URLs that the user allows to be fetched. */
  allowed: readonly string[];
  disabled: boolean;
  onAllow: (urls: readonly string[]) => void;
}

/** Nothing is fetched without the user's consent. */
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
