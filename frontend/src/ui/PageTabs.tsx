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
 * The tab that is shown is in sight, where the tabs are wider than the page. Back may take away the tab that the focus
 * was in: it goes to the tab that is shown then. The id that the tabs need.
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
  /** Under what name the address holds which is shown; another than usual where they are tabs within a tab. */
  name?: string;
}

/**
 * The parts of a page as tabs. The address holds which one is shown; only that one is drawn. It goes on to hold how the
 * others are looked at, but for the page of a list: its marker leads nowhere in another list.
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
