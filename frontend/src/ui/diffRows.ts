import { diffArrays } from "diff";

export interface Side {
  /** Counted from 1. */
  line: number;
  text: string;
}
/** An undefined side has no line here. */
export interface DiffRow {
  same: boolean;
  left: Side | undefined;
  right: Side | undefined;
}
/** A folded stretch contains equal rows far from any change. */
export interface Stretch {
  folded: boolean;
  rows: DiffRow[];
}

const CONTEXT = 3;

/** A removed line stands next to the line that replaces it. */
export function sideBySide(before: string, after: string): DiffRow[] {
  const rows: DiffRow[] = [];
  let [left, right] = [0, 0];
  let gone: Side[] = [];
  const flush = (came: Side[]) => {
    for (let at = 0; at < Math.max(gone.length, came.length); at += 1) {
      rows.push({ same: false, left: gone[at], right: came[at] });
    }
    gone = [];
  };
  for (const { value, added, removed } of diffArrays(before.split("\n"), after.split("\n"))) {
    if (removed) gone = value.map((text) => ({ line: (left += 1), text }));
    else if (added) flush(value.map((text) => ({ line: (right += 1), text })));
    else {
      flush([]);
      for (const text of value) {
        rows.push({ same: true, left: { line: (left += 1), text }, right: { line: (right += 1), text } });
      }
    }
  }
  flush([]);
  return rows;
}

/** A few equal lines stay visible next to each change. */
export function folded(rows: readonly DiffRow[]): Stretch[] {
  const near = (at: number) => rows.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some((row) => !row.same);
  const stretches: Stretch[] = [];
  rows.forEach((row, at) => {
    const hidden = !near(at);
    const last = stretches.at(-1);
    if (last?.folded === hidden) last.rows.push(row);
    else stretches.push({ folded: hidden, rows: [row] });
  });
  return stretches;
}
