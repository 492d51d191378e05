import { Tab, Tabs, TabTitleText } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { AFTER } from "@/table/view";

const TAB = "tab";

interface Part {
  key: string;
  title: ReactNode;
  content: () => ReactNode;
}

/**
 * The parts of a page as tabs. The address holds which one is shown; only that one is drawn. It goes on to hold how the
 * others are looked at, but for the page of a list: its marker leads nowhere in another list.
 */
export function PageTabs({ label, parts }: { label: string; parts: readonly [Part, ...Part[]] }) {
  const [params, setParams] = useSearchParams();
  const shown = parts.find(({ key }) => key === params.get(TAB)) ?? parts[0];
  const choose = (key: string) =>
    setParams(
      (before) => {
        before.set(TAB, key);
        before.delete(AFTER);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <Tabs
      activeKey={shown.key}
      onSelect={(_event, key) => choose(String(key))}
      aria-label={label}
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
