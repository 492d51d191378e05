/** A worker draws the map into a bitmap, so that the page stays responsive. */
import type { Viewport } from "@xyflow/react";
import type { Sheet, SheetBox, SheetLines } from "./sheet";

/** Computed colours. Keys: `line:…` of lines and frames, `fill:…` of boxes, `frame` of open groups, `accent`. */
export type Palette = Readonly<Record<string, string>>;
export interface Look {
  view: Viewport;
  /** Size of the bitmap in CSS pixels. */
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  palette: Palette;
  /** Index of the selected box, whose links are emphasized; -1: none. */
  selected: number;
  /** Indexes of boxes that are not drawn, nor are their links. */
  hidden: ReadonlySet<number>;
}
type Canvas = OffscreenCanvasRenderingContext2D;
type Line = [x1: number, y1: number, x2: number, y2: number];

/** From this number of lines on, each line is drawn fainter. */
const CLEAR_LINES = 1500;
const FAINTEST = 0.04;
const DIM = 0.3;
/** A smaller box is a dot in the colour of its line. */
const DOT_PX = 5;

/** Clips to a rectangle at 0, 0 (Liang and Barsky); undefined outside of it. */
export function clipped([x1, y1, x2, y2]: Line, width: number, height: number): Line | undefined {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [from, to] = [0, 1];
  for (const [p, q] of [
    [-dx, x1],
    [dx, width - x1],
    [-dy, y1],
    [dy, height - y1],
  ] as const) {
    if (p === 0) {
      if (q < 0) return undefined;
    } else if (p < 0) from = Math.max(from, q / p);
    else to = Math.min(to, q / p);
  }
  return from > to ? undefined : [x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy];
}

function linesIn({ boxes }: Sheet, { ends }: SheetLines, look: Look, wanted: (a: number, b: number) => boolean) {
  const { view, width, height } = look;
  const found: Line[] = [];
  for (let at = 0; at < ends.length; at += 2) {
    const [a, b] = [ends[at] ?? 0, ends[at + 1] ?? 0];
    const [one, other] = [boxes[a], boxes[b]];
    if (!one || !other || look.hidden.has(a) || look.hidden.has(b) || !wanted(a, b)) continue;
    const line: Line = [
      (one.x + one.width / 2) * view.zoom + view.x,
      (one.y + one.height / 2) * view.zoom + view.y,
      (other.x + other.width / 2) * view.zoom + view.x,
      (other.y + other.height / 2) * view.zoom + view.y,
    ];
    const seen = clipped(line, width, height);
    if (seen) found.push(seen);
  }
  return found;
}

function strokeLines(canvas: Canvas, sheet: Sheet, look: Look): void {
  const { zoom } = look.view;
  const isOfSelected = (a: number, b: number) => a === look.selected || b === look.selected;
  function stroke(lines: SheetLines, found: Line[], width: number): void {
    canvas.strokeStyle = look.palette[`line:${lines.color}`] ?? "";
    canvas.lineWidth = width;
    canvas.setLineDash(lines.dash.map((px) => px * Math.min(1, zoom * 2)));
    // One path per look: thousands of thin lines are then drawn as fast as tens of single ones.
    canvas.beginPath();
    for (const [x1, y1, x2, y2] of found) {
      canvas.moveTo(x1, y1);
      canvas.lineTo(x2, y2);
    }
    canvas.stroke();
  }
  for (const lines of sheet.lines) {
    const found = linesIn(sheet, lines, look, (a, b) => !isOfSelected(a, b));
    const few = lines.strong || found.length < CLEAR_LINES;
    canvas.globalAlpha = few ? 1 : Math.max(FAINTEST, CLEAR_LINES / found.length);
    const near = lines.strong ? 3 : lines.color === "line" ? 1 : 2;
    stroke(lines, found, few ? Math.max(1, near * Math.min(1, zoom)) : 1);
  }
  canvas.globalAlpha = 1;
  if (look.selected >= 0) for (const lines of sheet.lines) stroke(lines, linesIn(sheet, lines, look, isOfSelected), 3);
  canvas.setLineDash([]);
}

function fillBox(canvas: Canvas, box: SheetBox, { view, width, height, palette }: Look): void {
  const [x, y] = [box.x * view.zoom + view.x, box.y * view.zoom + view.y];
  const [w, h] = [box.width * view.zoom, box.height * view.zoom];
  if (x > width || y > height || x + w < 0 || y + h < 0) return;
  const [line = "", fill = ""] = [palette[`line:${box.color}`], palette[`fill:${box.color}`]];
  canvas.globalAlpha = box.dim ? DIM : 1;
  if (h < DOT_PX && box.shape !== "open") {
    canvas.fillStyle = line;
    canvas.fillRect(x, y, w, h);
    return;
  }
  if (box.shape === "closed") {
    canvas.fillStyle = palette["line:line"] ?? "";
    canvas.fillRect(x + 4 * view.zoom, y + 4 * view.zoom, w, h);
  }
  canvas.fillStyle = box.shape === "open" ? (palette["frame"] ?? "") : fill;
  canvas.strokeStyle = box.shape === "open" ? (palette["line:line"] ?? "") : line;
  canvas.lineWidth = 1;
  canvas.setLineDash(box.shape === "dashed" ? [3, 2] : []);
  canvas.beginPath();
  canvas.roundRect(x, y, w, h, box.shape === "round" ? h / 2 : 4 * view.zoom);
  canvas.fill();
  canvas.stroke();
  if (box.shape !== "open") return;
  canvas.fillStyle = line;
  canvas.fillRect(x, y, w, Math.max(2, 4 * view.zoom));
}

/** The frame is visible even where the box is a dot. */
function frameBox(canvas: Canvas, { x, y, width, height }: SheetBox, { view, palette }: Look): void {
  canvas.globalAlpha = 1;
  canvas.setLineDash([]);
  canvas.strokeStyle = palette["accent"] ?? "";
  canvas.lineWidth = 3;
  canvas.strokeRect(
    x * view.zoom + view.x - 3,
    y * view.zoom + view.y - 3,
    width * view.zoom + 6,
    height * view.zoom + 6,
  );
}

/** Frames are below links and links below boxes, as in the document. */
export function paint(canvas: Canvas, sheet: Sheet, look: Look): void {
  canvas.setTransform(look.ratio, 0, 0, look.ratio, 0, 0);
  canvas.clearRect(0, 0, look.width, look.height);
  const boxes = sheet.boxes.filter((_box, number) => !look.hidden.has(number));
  for (const box of boxes) if (box.shape === "open") fillBox(canvas, box, look);
  strokeLines(canvas, sheet, look);
  for (const box of boxes) if (box.shape !== "open") fillBox(canvas, box, look);
  const chosen = sheet.boxes[look.selected];
  if (chosen && !look.hidden.has(look.selected)) frameBox(canvas, chosen, look);
}
