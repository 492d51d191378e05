import { t } from "@lingui/core/macro";
const KINDS: Record<string, [className: string, words: string]> = {
  "+": ["vm-diff-came", t`Added: `],
  "-": ["vm-diff-gone", t`Removed: `],
};

/** Each line names its kind of change in words for screen readers. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const all = text.replace(/\n$/, "").split("\n");
  // Only the first lines can name the two sides; later ones that begin like this are text of the configuration.
  const named = all[0]?.startsWith("---") && all[1]?.startsWith("+++");
  const lines = named ? all.slice(2) : all;
  return (
    <ol className="vm-unified" aria-label={label}>
      {lines.map((line, index) => {
        const [className, words] = KINDS[line.charAt(0)] ?? ["", ""];
        return (
          <li key={index} className={className}>
            {words && <span className="pf-v6-u-screen-reader">{words}</span>}
            {line || " "}
          </li>
        );
      })}
    </ol>
  );
}
