import { plural, t } from "@lingui/core/macro";
import { Button, SearchInput } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { mapQueries, type MapQuery, type MapNode } from "@/api/topology";
import { EVERYTHING } from "./groups";
import { groupsOf } from "./useFocusedNode";
import { KIND, stateText } from "./nodeText";

const MIN_LENGTH = 2;
const nodesWith = (nodes: readonly MapNode[], words: string): MapNode[] =>
  words.length < MIN_LENGTH
    ? []
    : nodes.filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(words));
const wordsOf = (text: string): string => text.trim().toLowerCase();
const MAX_RESULTS = 8;

interface Props {
  query: MapQuery;
  /** `groups` are the groups around the node. */
  onFind: (node: MapNode, groups: string[]) => void;
}

/** Also finds nodes in closed groups. */
export function MapSearch({ query, onFind }: Props) {
  const [text, setText] = useState("");
  const wanted = useDeferredValue(wordsOf(text));
  const long = wanted.length >= MIN_LENGTH;
  const { data } = useQuery({ ...mapQueries.map({ ...query, expand: EVERYTHING }), enabled: long });
  const nodes = data?.nodes ?? [];
  const found = nodesWith(nodes, wanted);

  function go(node: MapNode) {
    setText("");
    onFind(node, groupsOf(node, nodes));
  }
  return (
    <div className="vm-map-search">
      <SearchInput
        aria-label={t`Find on the map`}
        placeholder={t`Find`}
        value={text}
        onChange={(_event, typed) => setText(typed)}
        onClear={() => setText("")}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          const [first] = nodesWith(nodes, wordsOf(text)); // The list may be a moment older than the typed text.
          if (first) go(first);
        }}
      />
      <div role="status" className={long ? "vm-map-found" : ""}>
        {long && data && (
          <>
            <p className="vm-quiet">
              {found.length === 0 ? t`No matches` : plural(found.length, { one: "# match", other: "# matches" })}
            </p>
            <ul>
              {found.slice(0, MAX_RESULTS).map((node) => (
                <li key={node.id}>
                  <Button variant="link" isInline onClick={() => go(node)}>
                    {node.name}
                  </Button>{" "}
                  <span className="vm-quiet">
                    {KIND[node.kind]}, {stateText(node.state)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}
