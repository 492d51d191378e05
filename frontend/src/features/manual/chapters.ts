/** The chapters are Markdown files in the bundle, so that the manual needs no network. */
const files = import.meta.glob<string>("./chapters/*.md", { query: "?raw", import: "default", eager: true });

interface Chapter {
  /** Name of the file without number and ending: "alarms". */
  id: string;
  title: string;
  text: string;
}

export const CHAPTERS: readonly Chapter[] = Object.entries(files)
  .sort(([a], [b]) => a.localeCompare(b))
  .map(([file, text]) => ({
    id: /\d+-(.+)\.md$/.exec(file)?.[1] ?? file,
    title: /^# (.+)$/m.exec(text)?.[1] ?? file,
    text: text.replace(/^# .+\n+/, ""),
  }));

/** The longest path that the address begins with decides the chapter. */
const OF_PAGE: readonly (readonly [path: string, chapter: string])[] = [
  ["/instances/new", "instantiate"],
  ["/instances", "instances"],
  ["/catalog", "catalog"],
  ["/elements", "elements"],
  ["/alarms", "alarms"],
  ["/topology", "topology"],
  ["/performance", "performance"],
  ["/clouds", "clouds"],
  ["/dimensioning", "dimensioning"],
  ["/automation", "automation"],
  ["/administration", "administration"],
  ["/account", "administration"],
];

export function chapterOf(pathname: string): string {
  if (/^\/instances\/[^/]+\/operations\//.test(pathname)) return "operations";
  return OF_PAGE.find(([path]) => pathname.startsWith(path))?.[1] ?? "overview";
}

const AROUND = 60;

interface Found {
  chapter: Chapter;
  /** The words with their context; "" if only the title contains them. */
  excerpt: string;
}

const plainOf = (text: string): string => text.replace(/[*`|#]|---/g, "").replace(/\s+/g, " ");

/** A chapter must contain all words; those with one in the title come first. */
export function searchManual(text: string): Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const inTitle = ({ title }: Chapter) => words.some((word) => title.toLowerCase().includes(word));
  const found = CHAPTERS.flatMap((chapter): Found[] => {
    const plain = plainOf(chapter.text);
    const small = `${chapter.title} ${plain}`.toLowerCase();
    if (!words.every((word) => small.includes(word))) return [];
    const at = plain.toLowerCase().indexOf(words[0] ?? "");
    if (at < 0) return [{ chapter, excerpt: "" }];
    const from = Math.max(0, at - AROUND);
    return [{ chapter, excerpt: `${from > 0 ? "…" : ""}${plain.slice(from, at + 2 * AROUND)}…` }];
  });
  return found.sort((a, b) => Number(inTitle(b.chapter)) - Number(inTitle(a.chapter)));
}
