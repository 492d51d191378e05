import { t } from "@lingui/core/macro";
import { Button } from "@patternfly/react-core";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";

/** The server writes the whole list, and the browser saves it. */
export const CsvLink = ({ href, file }: { href: string; file: string }) => (
  <Button
    variant="plain"
    icon={<DownloadIcon />}
    component="a"
    aria-label={t`Export as CSV`}
    href={href}
    download={file}
  />
);
