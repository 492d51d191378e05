import { Panel } from "./Panel";

/** Renders nothing if there are no sentences. */
export function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Panel title={title} count={sentences.length}>
      <ul className="vm-sentences" aria-label={title}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Panel>
  );
}
