import { Panel } from "./Panel";

/** What is to be read one by one; nothing where there is nothing to say. */
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
