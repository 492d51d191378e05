import { Tab, Tabs, TabTitleText } from "@patternfly/react-core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";

interface Part {
  key: string;
  title: ReactNode;
  content: () => ReactNode;
}

/** The parts of a page as tabs. The address holds which one is shown; only that one is drawn. */
export function PageTabs({ label, parts }: { label: string; parts: readonly [Part, ...Part[]] }) {
  const [params, setParams] = useSearchParams();
  const shown = parts.find(({ key }) => key === params.get("tab")) ?? parts[0];
  return (
    <Tabs
      activeKey={shown.key}
      onSelect={(_event, key) => setParams({ tab: String(key) }, { replace: true, preventScrollReset: true })}
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
