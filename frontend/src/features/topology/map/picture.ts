import type { Viewport } from "@xyflow/react";
import type { Look, Palette } from "./paint";
import type { ToPaint } from "./paint.worker";
import type { Sheet } from "./sheet";

/** The map rests if it has not moved for this time. */
const REST_MS = 250;
/**
 * The picture extends beyond the window by this part of its size, so that a moving map shows something at its edges.
 */
const MARGIN = 0.25;
/** A resting map whose remaining margin is smaller is drawn again. */
const SPARE = 0.1;

interface Drawn {
  bitmap: ImageBitmap;
  look: Look;
}
interface Size {
  width: number;
  height: number;
}

const isSameView = (a: Viewport | undefined, b: Viewport): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.zoom === b.zoom;

/** A worker has no styles, so it gets the colours of the present theme. */
function paletteOf(host: HTMLElement, { boxes, lines }: Sheet): Palette {
  const probe = host.appendChild(document.createElement("span"));
  const palette: Record<string, string> = {};
  for (const name of new Set(["line", ...boxes.map(({ color }) => color), ...lines.map(({ color }) => color)])) {
    probe.className = `vm-map-probe vm-edge-${name}`;
    const { color, backgroundColor } = getComputedStyle(probe);
    Object.assign(palette, { [`line:${name}`]: color, [`fill:${name}`]: backgroundColor });
  }
  const { columnRuleColor, outlineColor } = getComputedStyle(probe);
  Object.assign(palette, { frame: columnRuleColor, accent: outlineColor });
  probe.remove();
  return palette;
}

/**
 * A worker draws the whole map as one picture: 80,000 links take half a second without a GPU. While the map moves,
 * the browser moves and scales the picture; it is drawn again when the map rests or leaves the picture.
 */
export class Picture {
  readonly #worker = new Worker(new URL("./paint.worker.ts", import.meta.url), { type: "module" });
  readonly #canvas: HTMLCanvasElement;
  readonly #sizeOf: () => Size;
  readonly #onRest: (view: Viewport) => void;
  #palette: Palette = {};
  #selected = -1;
  #hidden: ReadonlySet<number> = new Set();
  #view: Viewport | undefined;
  #drawn: Look | undefined;
  #isBusy = false;
  #isStale = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(canvas: HTMLCanvasElement, sizeOf: () => Size, onRest: (view: Viewport) => void) {
    this.#canvas = canvas;
    this.#sizeOf = sizeOf;
    this.#onRest = onRest;
    this.#worker.onmessage = ({ data }: MessageEvent<Drawn>) => this.#take(data);
  }

  /** Undefined until the position of the map is known. */
  get view(): Viewport | undefined {
    return this.#view;
  }

  show(sheet: Sheet): void {
    this.#palette = paletteOf(this.#canvas.parentElement ?? document.body, sheet);
    this.#post({ sheet });
    this.#hidden = new Set();
    this.#draw();
  }

  /** Moving boxes and their links are left out until a sheet has their new places. */
  hide(numbers: readonly number[]): void {
    if (numbers.every((each) => this.#hidden.has(each))) return;
    this.#hidden = new Set([...this.#hidden, ...numbers]);
    this.#draw();
  }

  /** Emphasizes the links of this box. */
  select(number: number): void {
    this.#selected = number;
    this.#draw();
  }

  follow(view: Viewport): void {
    if (isSameView(this.#view, view)) return;
    this.#view = view;
    this.#place();
    if (!this.#covers(0)) this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.rest(), REST_MS);
  }

  /**
   * Moves picture and boxes. React Flow, where each box would check whether it is affected, follows when the map
   * rests.
   */
  drag(view: Viewport): void {
    const flow = this.#canvas.closest(".react-flow");
    const boxes = flow?.querySelector<HTMLElement>(".react-flow__viewport");
    if (boxes) boxes.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.zoom})`;
    this.#canvas.closest(".vm-map-canvas")?.classList.add("vm-map-moving");
    this.follow(view);
  }

  /** The map has its final size or position. */
  rest(): void {
    clearTimeout(this.#timer);
    if (!this.#view) return;
    this.#canvas.closest(".vm-map-canvas")?.classList.remove("vm-map-moving");
    this.#onRest(this.#view);
    if (this.#drawn?.view.zoom !== this.#view.zoom || !this.#covers(SPARE)) this.#draw();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }

  #post(message: ToPaint): void {
    this.#worker.postMessage(message);
  }

  #draw(): void {
    const size = this.#sizeOf();
    if (!this.#view || size.width === 0) return;
    this.#canvas.ariaBusy = "true";
    this.#isStale = this.#isBusy;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const { x, y, zoom } = this.#view;
    const view = { x: x + size.width * MARGIN, y: y + size.height * MARGIN, zoom };
    const [width, height] = [size.width * (1 + 2 * MARGIN), size.height * (1 + 2 * MARGIN)];
    const [palette, selected, hidden] = [this.#palette, this.#selected, this.#hidden];
    this.#post({ look: { view, width, height, ratio: devicePixelRatio, palette, selected, hidden } });
  }

  #take({ bitmap, look }: Drawn): void {
    this.#isBusy = false;
    this.#drawn = look;
    const canvas = this.#canvas;
    [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    [canvas.style.width, canvas.style.height] = [`${look.width}px`, `${look.height}px`];
    canvas.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
    this.#place();
    if (this.#isStale) this.#draw();
    else canvas.ariaBusy = "false";
  }

  /** The offset of the picture's corner and its scale since it was drawn. */
  #shift(): { x: number; y: number; scale: number } | undefined {
    if (!this.#view || !this.#drawn) return undefined;
    const [now, then] = [this.#view, this.#drawn.view];
    const scale = now.zoom / then.zoom;
    return { x: now.x - then.x * scale, y: now.y - then.y * scale, scale };
  }

  #place(): void {
    const shift = this.#shift();
    if (shift) this.#canvas.style.transform = `translate(${shift.x}px, ${shift.y}px) scale(${shift.scale})`;
  }

  /** `margin` is the part of the window's size on each side. */
  #covers(margin: number): boolean {
    const [shift, { width, height }] = [this.#shift(), this.#sizeOf()];
    if (!shift || !this.#drawn) return false;
    const [right, bottom] = [shift.x + this.#drawn.width * shift.scale, shift.y + this.#drawn.height * shift.scale];
    const [x, y] = [width * margin, height * margin];
    return shift.x <= -x && shift.y <= -y && right >= width + x && bottom >= height + y;
  }
}
