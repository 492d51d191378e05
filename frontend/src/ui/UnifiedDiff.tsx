import { t } from "@lingui/core/macro";
const KINDS: Record<string, [className: string, words: string]> = {
  "+": ["vm-diff-came", t`Added: `],
  "-": ["vm-diff-gone", t`Removed: `],
};

/** A unified diff; each line says by its first sign, and to those who cannot see it in words, what became of it. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const all = text.replace(/\n$/, "").split("\n");
  // The names of both sides, where there are any; what begins so further down is text of the configuration.
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
