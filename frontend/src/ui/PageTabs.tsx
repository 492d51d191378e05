import { Tab, Tabs, TabTitleText } from "@patternfly/react-core";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { AFTER } from "./listView";
import { useAddress } from "./address";

const TAB = "tab";

interface Part {
  key: string;
  title: ReactNode;
  content: () => ReactNode;
}

/**
 * Scrolls to the shown tab where the tabs are wider than the page. If Back hides the tab that has the focus, the
 * shown tab gets the focus. Returns the id that the tabs need.
 */
function useVisibleTab(shown: string): string {
  const id = useId();
  const before = useRef(shown);
  useEffect(() => {
    const tab = document.getElementById(`pf-tab-${shown}-${id}`);
    tab?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (before.current === shown) return;
    before.current = shown;
    if (document.activeElement === document.body) tab?.focus();
  }, [shown, id]);
  return id;
}

interface Props {
  label: string;
  parts: readonly [Part, ...Part[]];
  /** Name in the address; tabs within a tab need another than the default. */
  name?: string;
}

/**
 * The address holds the shown tab, and only that one is rendered. Other parameters stay in the address, except the
 * marker of a page, which belongs to one list.
 */
export function PageTabs({ label, parts, name = TAB }: Props) {
  const [params, setAddress] = useAddress();
  const shown = parts.find(({ key }) => key === params.get(name)) ?? parts[0];
  const id = useVisibleTab(shown.key);
  const choose = (key: string) => {
    if (key !== shown.key) setAddress({ [name]: key === parts[0].key ? "" : key, [AFTER]: "" });
  };
  return (
    <Tabs
      id={id}
      activeKey={shown.key}
      onSelect={(_event, key) => choose(String(key))}
      aria-label={label}
      isSubtab={name !== TAB}
      mountOnEnter
      unmountOnExit
    >
      {parts.map(({ key, title, content }) => (
        <Tab key={key} eventKey={key} title={<TabTitleText>{title}</TabTitleText>}>
          <div className="vm-tab">{key === shown.key && content()}</div>
        </Tab>
      ))}
    </Tabs>
  );
}
