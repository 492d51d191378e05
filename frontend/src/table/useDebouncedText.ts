import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 300;

/**
 * The field shows typed text at once; the address follows when the user stops typing. If the address changes by Back
 * or by a link, the field follows it.
 */
export function useDebouncedText(asked: string, ask: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [sent, setSent] = useState<string>();
  if (asked !== seen) {
    setSeen(asked);
    // The address now contains our own text; the user may have typed more since.
    if (asked === sent) setSent(undefined);
    else if (asked !== text.trim()) setText(asked);
  }
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === asked) return undefined;
    const timer = setTimeout(() => {
      setSent(wanted);
      latest.current(wanted);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, asked]);
  return [text, setText];
}
