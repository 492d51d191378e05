import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Divider, Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import UserIcon from "@patternfly/react-icons/dist/esm/icons/user-icon";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { sessionDelete } from "@/api/calls";
import { frameQueries } from "@/api/frame";
import { q } from "@/api/queries";
import { pb } from "@/paths";
import { ThemeItems } from "./ThemeItems";
import { chooseUtc, useIsUtc } from "@/ui/zone";

const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function UserMenu() {
  const isUtc = useIsUtc();
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const { data: session } = useQuery(q.session());
  const { data: readiness } = useQuery(frameQueries.readiness());
  const logout = useMutation({
    mutationFn: sessionDelete,
    // Reloading the page discards all cached data of the session.
    onSettled: () => globalThis.location.assign("/"),
  });
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: "right" }}
      shouldFocusToggleOnSelect
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plainText"
          icon={<UserIcon />}
          isExpanded={open}
          aria-label={t`User menu of ${session?.username ?? t`none`}`}
          onClick={() => setOpen(!open)}
        >
          <span className="vm-user-name">{session?.username}</span>
        </MenuToggle>
      )}
    >
      <DropdownList>
        <DropdownItem key="account" onClick={() => void navigate(pb.account())}>
          <Trans>My account</Trans>
        </DropdownItem>
        <DropdownItem key="zone" onClick={() => chooseUtc(!isUtc)}>
          {isUtc ? t`Show times in local time (${ZONE})` : t`Show times in UTC`}
        </DropdownItem>
      </DropdownList>
      <Divider />
      <ThemeItems />
      <Divider />
      <DropdownList>
        <DropdownItem key="api" to="/api/v1/docs" target="_blank">
          <Trans>API description (OpenAPI)</Trans>
        </DropdownItem>
        {readiness && (
          <DropdownItem key="version" isDisabled>
            <Trans>Version {readiness.version}</Trans>
          </DropdownItem>
        )}
        <DropdownItem key="logout" onClick={() => logout.mutate()}>
          <Trans>Log out</Trans>
        </DropdownItem>
      </DropdownList>
    </Dropdown>
  );
}
