import { t } from "@lingui/core/macro";
import { PageSection, Skeleton } from "@patternfly/react-core";
import { useEffect, useState } from "react";

const PATIENCE_MS = 200;

/** Most answers arrive sooner than this delay, and a flash of grey bars would look slow. */
export function Loading() {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <PageSection aria-label={t`Loading`} aria-busy>
      <Skeleton width="22%" fontSize="2xl" screenreaderText={t`Loading`} />
      <br />
      <Skeleton width="60%" />
      <br />
      <Skeleton height="14rem" />
    </PageSection>
  );
}
