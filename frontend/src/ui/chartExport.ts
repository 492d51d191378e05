import type uPlot from "uplot";
import { coloursOf, DASHES, lookOf, THRESHOLD_DASH, type Chart } from "./chartDrawing";
import { unitText, valueWithUnit } from "./chartValues";
import { csvOf } from "./csv";

/** Values are in the unit of the API; unknown ones are empty cells. */
export const chartCsv = ({ unit, at, lines }: Chart): string =>
  csvOf([
    ["from", ...lines.map(({ name }) => (unit === "" ? name : `${name} (${unit})`))],
    ...at.map((moment, point) => [moment, ...lines.map(({ values }) => values[point])]),
  ]);

const ROW = 20;
const SAMPLE = 28;

/** The picture includes title and legend; null without a canvas. */
export async function chartPicture(figure: HTMLElement, drawn: uPlot, chart: Chart): Promise<Blob | null> {
  const { label, unit, lines, thresholds = [] } = chart;
  const { strokes, text, background } = coloursOf(figure);
  const keys = [
    ...lines.map((line, index) => ({ name: line.name, dash: DASHES[lookOf(line, index)] ?? [] })),
    ...thresholds.map(({ name, value }) => ({ name: `${name} ${valueWithUnit(value, unit)}`, dash: THRESHOLD_DASH })),
  ];
  const source = drawn.ctx.canvas;
  const top = (keys.length + 1.5) * ROW;
  const picture = document.createElement("canvas");
  picture.width = source.width;
  picture.height = source.height + top * devicePixelRatio;
  const paper = picture.getContext("2d");
  if (!paper) return null;
  paper.fillStyle = background;
  paper.fillRect(0, 0, picture.width, picture.height);
  paper.drawImage(source, 0, top * devicePixelRatio);
  paper.scale(devicePixelRatio, devicePixelRatio);
  const { fontFamily } = getComputedStyle(figure);
  paper.fillStyle = text;
  paper.font = `600 14px ${fontFamily}`;
  paper.fillText(`${document.title} · ${[label, unitText(unit)].filter(Boolean).join(", ")}`, ROW, ROW);
  paper.font = `13px ${fontFamily}`;
  paper.lineWidth = 2;
  keys.forEach(({ name, dash }, index) => {
    const y = (index + 2) * ROW;
    paper.strokeStyle = strokes[index] ?? text;
    paper.setLineDash(dash);
    paper.beginPath();
    paper.moveTo(ROW, y - 4);
    paper.lineTo(ROW + SAMPLE, y - 4);
    paper.stroke();
    paper.fillText(name, ROW + SAMPLE + 8, y);
  });
  return await new Promise((resolve) => picture.toBlob(resolve));
}
