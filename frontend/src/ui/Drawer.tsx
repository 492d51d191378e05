import { t } from "@lingui/core/macro";
import { Button, Title } from "@patternfly/react-core";
import TimesIcon from "@patternfly/react-icons/dist/esm/icons/times-icon";
import type { ReactNode } from "react";
import { useDetails } from "./useDetails";

interface Props {
  title: string;
  /** When this changes, the heading gets the focus again. */
  shown: string;
  labels?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/**
 * The list next to the drawer stays usable. The drawer takes the focus when it opens and returns it when it closes.
 */
export function Drawer({ title, shown, labels, onClose, children }: Props) {
  const heading = useDetails(shown, onClose);
  return (
    <aside className="vm-drawer" aria-label={title}>
      <div className="vm-drawer-head">
        <div className="vm-head-title">
          <Title headingLevel="h2" size="xl" tabIndex={-1} ref={heading}>
            {title}
          </Title>
          {labels}
        </div>
        <Button variant="plain" aria-label={t`Close the details`} icon={<TimesIcon />} onClick={onClose} />
      </div>
      <div className="vm-drawer-body">{children}</div>
    </aside>
  );
}
