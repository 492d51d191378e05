import { paint, type Look } from "./paint";
import type { Sheet } from "./sheet";

export type ToPaint = { sheet: Sheet } | { look: Look };

const canvas = new OffscreenCanvas(1, 1);
let sheet: Sheet = { boxes: [], lines: [] };

onmessage = ({ data }: MessageEvent<ToPaint>) => {
  if ("sheet" in data) {
    sheet = data.sheet;
    return;
  }
  const { look } = data;
  canvas.width = Math.round(look.width * look.ratio);
  canvas.height = Math.round(look.height * look.ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  paint(context, sheet, look);
  const bitmap = canvas.transferToImageBitmap();
  postMessage({ bitmap, look }, { transfer: [bitmap] });
};
