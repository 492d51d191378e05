import { json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import { seriesAt, unitOf } from "./performance";
import { fresh } from "./records";
import type { Route } from "./routes";
import { newId } from "./util";
import type * as T from "../src/api/types";

type Key = T.SeriesSource;
/** The server adds the rights of the reader when it answers. */
export interface StoredBoard {
  id: string;
  version: number;
  createdAt: string;
  name: string;
  ownerName: string;
  shared: boolean;
  position: number;
  charts: { id: string; title: string; series: (Key & { sourceName: string })[] }[];
}

const userOf = ({ db }: Context): string => db.session?.username ?? "";
const visible = (context: Context): StoredBoard[] =>
  context.db.boards.filter(({ ownerName, shared }) => shared || ownerName === userOf(context));

function nameOf({ db }: Context, { sourceType, sourceId }: Key): string | undefined {
  const rows: { id: string; name: string }[] = sourceType === "VNF_INSTANCE" ? db.instances : db.elements;
  return rows.find(({ id }) => id === sourceId)?.name;
}

const boardAnswer = (context: Context, board: StoredBoard): T.Board => ({
  ...board,
  isOwn: board.ownerName === userOf(context),
  charts: board.charts.map((chart) => ({
    ...chart,
    series: chart.series.map((each) => ({
      ...each,
      sourceName: nameOf(context, each) ?? each.sourceName,
      sourceExists: nameOf(context, each) !== undefined,
    })),
  })),
});

const stored = (context: Context, { id, title, series }: T.BoardChartInput, former: StoredBoard["charts"] = []) => ({
  ...{ id: id ?? newId(), title: title ?? "" },
  series: series.map((each) => ({
    ...{ sourceType: each.sourceType, sourceId: each.sourceId, object: each.object, counter: each.counter },
    sourceName:
      nameOf(context, each) ??
      former.flatMap((chart) => chart.series).find(({ sourceId }) => sourceId === each.sourceId)?.sourceName ??
      "",
  })),
});

function create(context: Context): Response {
  const { name, shared = false, charts = [] } = context.body as T.BoardInput & { name: string };
  const own = context.db.boards.filter(({ ownerName }) => ownerName === userOf(context));
  if (own.some((board) => board.name === name)) {
    const message = `You have a board named ${name} already.`;
    return problem(409, "Conflict", message, { code: "NAME_TAKEN", errors: [{ field: "/name", message }] });
  }
  const board = {
    ...{ ...fresh(), name, shared, ownerName: userOf(context), position: own.length },
    charts: charts.map((chart) => stored(context, chart)),
  };
  context.db.boards.push(board);
  context.emit("board.changed", board.id, board.version);
  return json(boardAnswer(context, board), 201);
}

const withBoard =
  (act: (context: Context, board: StoredBoard) => Response, changes = false) =>
  (context: Context): Response => {
    const board = visible(context).find(({ id }) => id === context.params[0]);
    if (!board) return notFound("board");
    if (!changes) return act(context, board);
    if (board.ownerName !== userOf(context)) {
      const words = `The board ${board.name} belongs to ${board.ownerName}; you may only read it.`;
      return problem(403, "Forbidden", words, { code: "NOT_OWNER" });
    }
    const refusal = stale(context, board.version);
    if (refusal) return refusal;
    const answer = act(context, board);
    context.emit("board.changed", board.id, board.version);
    return answer;
  };

function update(context: Context, board: StoredBoard): Response {
  const { position, charts, ...rest } = context.body as T.BoardInput;
  Object.assign(board, rest, { version: board.version + 1 });
  if (charts) board.charts = charts.map((chart) => stored(context, chart, board.charts));
  if (position !== undefined) {
    const own = context.db.boards
      .filter(({ ownerName }) => ownerName === board.ownerName)
      .sort((a, b) => a.position - b.position);
    const others = own.filter(({ id }) => id !== board.id);
    others.toSpliced(position, 0, board).forEach((each, place) => (each.position = place));
  }
  return json(boardAnswer(context, board));
}

function add(context: Context, board: StoredBoard): Response {
  board.charts.push(stored(context, context.body as T.BoardChartInput));
  board.version += 1;
  return json(boardAnswer(context, board), 201);
}

function remove({ db }: Context, board: StoredBoard): Response {
  db.boards.splice(db.boards.indexOf(board), 1);
  return none();
}

function series(context: Context, board: StoredBoard): Response {
  const { url } = context;
  const [from, to] = ["from", "to"].map((name) => Date.parse(url.searchParams.get(name) ?? ""));
  const step = Number(url.searchParams.get("step"));
  const count = Math.round(((to ?? 0) - (from ?? 0)) / 1000 / step);
  const keys = new Map(
    board.charts.flatMap((chart) => chart.series).map((each) => [Object.values(each).join("/"), each]),
  );
  const found = [...keys.values()].filter((each) => nameOf(context, each) !== undefined);
  return json({
    step,
    at: Array.from({ length: count }, (_, index) => new Date((from ?? 0) + index * step * 1000).toISOString()),
    series: found.map(({ sourceType, sourceId, object, counter }) => ({
      ...{ sourceType, sourceId, object, counter, unit: unitOf(counter) },
      values: Array.from({ length: count }, (_, index) => seriesAt(object, counter, index, count)),
    })),
  });
}

/** The user's own board has a series whose element was deleted; the other board is shared by another user. */
export function makeBoards(elements: readonly { id: string; name: string }[]): StoredBoard[] {
  const [one, two] = elements;
  if (!one || !two) return [];
  const ref = (element: { id: string; name: string }, object: string, counter: Key["counter"]) => ({
    ...{ sourceType: "NETWORK_ELEMENT" as const, sourceId: element.id, sourceName: element.name, object, counter },
  });
  const chart = (title: string, ...all: ReturnType<typeof ref>[]) => ({ id: newId(), title, series: all });
  const gone = { id: newId(), name: "agg-4" };
  return [
    {
      ...{ ...fresh(), name: "Core uplinks", ownerName: "admin", shared: true, position: 0 },
      charts: [
        chart("", ref(one, "1/1/1", "octetsIn"), ref(one, "1/1/1", "octetsOut")),
        chart("Load", ref(one, "(element)", "cpu"), ref(one, "(element)", "memory")),
        chart("", ref(two, "1/1/2", "octetsIn"), ref(gone, "1/1/2", "octetsIn")),
        chart("Errors", ref(two, "1/1/1", "errorsIn"), ref(two, "1/1/1", "discardsIn")),
      ],
    },
    {
      ...{ ...fresh(), name: "Night shift", ownerName: "olga", shared: true, position: 0 },
      charts: [chart("Load", ref(two, "(element)", "cpu"))],
    },
  ];
}

const ONE = /^\/api\/v1\/boards\/([^/]+)$/;
export const boards: Route[] = [
  [
    "GET",
    /^\/api\/v1\/boards$/,
    (context) =>
      listed(
        context,
        visible(context).map((board) => boardAnswer(context, board)),
      ),
  ],
  ["POST", /^\/api\/v1\/boards$/, create],
  ["GET", ONE, withBoard((context, board) => json(boardAnswer(context, board)))],
  ["PATCH", ONE, withBoard(update, true)],
  ["DELETE", ONE, withBoard(remove, true)],
  ["POST", /^\/api\/v1\/boards\/([^/]+)\/charts$/, withBoard(add, true)],
  ["GET", /^\/api\/v1\/boards\/([^/]+)\/series$/, withBoard(series)],
];
