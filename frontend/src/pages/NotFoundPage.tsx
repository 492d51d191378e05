import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { EmptyState, EmptyStateBody, EmptyStateFooter } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Link, useLocation } from "react-router";
import { pb } from "@/paths";
import { Screen } from "@/ui/Screen";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <Screen title={t`Page not found`}>
      <EmptyState titleText={t`No page at this address`} headingLevel="h2" icon={SearchIcon}>
        <EmptyStateBody>
          <Trans>
            <code>{pathname}</code> does not exist.
          </Trans>
        </EmptyStateBody>
        <EmptyStateFooter>
          <Link to={pb.catalog()} className="pf-v6-c-button pf-m-primary">
            <Trans>Go to the catalog</Trans>
          </Link>
        </EmptyStateFooter>
      </EmptyState>
    </Screen>
  );
}
