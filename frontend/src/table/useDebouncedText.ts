import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 300;

/**
 * What is typed, which shows at once, and what the address asks, which follows when nothing has been typed for a moment.
 * When the address changes otherwise, by Back or by a link, the field follows.
 */
export function useDebouncedText(asked: string, ask: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(asked);
  const [seen, setSeen] = useState(asked);
  const [sent, setSent] = useState<string>();
  if (asked !== seen) {
    setSeen(asked);
    // Our own question has come into the address; more may have been typed meanwhile.
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
