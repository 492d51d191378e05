import { t } from "@lingui/core/macro";
import { Button, Dropdown, DropdownItem, DropdownList, MenuToggle } from "@patternfly/react-core";
import CheckIcon from "@patternfly/react-icons/dist/esm/icons/check-icon";
import CopyIcon from "@patternfly/react-icons/dist/esm/icons/copy-icon";
import { useEffect, useState } from "react";

const NOTICE_MS = 2000;

/** Without TLS browsers deny pages the clipboard, but still copy the selection. */
async function copy(text: string): Promise<void> {
  if (globalThis.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  // `execCommand` is deprecated, but the only way without TLS.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  document.execCommand("copy");
  area.remove();
}

/** `label` names the button that copies. */
export function Copy({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className="vm-copy">
      <code>{text}</code>
      <Button
        variant="plain"
        size="sm"
        aria-label={copied ? t`Copied` : label}
        icon={copied ? <CheckIcon /> : <CopyIcon />}
        onClick={() => void copy(text).then(() => setCopied(true))}
      />
    </span>
  );
}

/** A menu for names that need not be visible. */
export function CopyMenu({ text, items }: { text: string; items: readonly { label: string; value: string }[] }) {
  const [open, setOpen] = useState(false);
  const [copied, setCopied] = useState("");
  return (
    <Dropdown
      isOpen={open}
      onOpenChange={setOpen}
      shouldFocusFirstItemOnOpen
      toggle={(ref) => (
        <MenuToggle ref={ref} variant="plainText" size="sm" isExpanded={open} onClick={() => setOpen(!open)}>
          {text}
        </MenuToggle>
      )}
    >
      <DropdownList aria-label={text}>
        {items.map(({ label, value }) => (
          <DropdownItem
            key={label}
            icon={copied === label ? <CheckIcon /> : <CopyIcon />}
            description={<code>{value}</code>}
            onClick={() => void copy(value).then(() => setCopied(label))}
          >
            {copied === label ? t`${label}: copied` : label}
          </DropdownItem>
        ))}
      </DropdownList>
    </Dropdown>
  );
}
