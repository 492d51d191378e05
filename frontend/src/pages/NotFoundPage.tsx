import { EmptyState, EmptyStateBody, EmptyStateFooter } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { Link, useLocation } from "react-router";
import { pb } from "@/paths";
import { Screen } from "@/ui/Screen";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <Screen title="Page not found">
      <EmptyState titleText="There is no page at this address" headingLevel="h2" icon={SearchIcon}>
        <EmptyStateBody>
          <code>{pathname}</code> may have been mistyped, or it was moved.
        </EmptyStateBody>
        <EmptyStateFooter>
          <Link to={pb.catalog()} className="pf-v6-c-button pf-m-primary">
            Go to the catalog
          </Link>
        </EmptyStateFooter>
      </EmptyState>
    </Screen>
  );
}
