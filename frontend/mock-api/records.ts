import { newId, now } from "./util";
import { json, none, notFound, problem, stale, type Context } from "./http";
import { listed } from "./lists";
import type { Route } from "./routes";
import type { Topic } from "../src/api/types";

interface Stored {
  id: string;
  version: number;
}
type Input = Record<string, unknown>;

interface Options<Row extends Stored> {
  rows: (context: Context) => Row[];
  topic?: Topic;
  /** Answers must not contain the secrets of the input. */
  make: (input: Input, context: Context) => Row;
  change?: (row: Row, input: Input) => void;
  /** Removes what depends on the row. */
  removed?: (context: Context, row: Row) => void;
  /** Returns the reason of a refusal with the field that it is about. */
  refuse?: (input: Input) => [field: string, message: string] | undefined;
}

export function records<Row extends Stored>(path: string, options: Options<Row>): Route[] {
  const { rows, topic, make, change = Object.assign, refuse } = options;
  const one = new RegExp(`^/api/v1/${path}/([^/]+)$`);
  const many = new RegExp(`^/api/v1/${path}$`);
  const find = (context: Context) => rows(context).find(({ id }) => id === context.params[0]);
  const publish = (context: Context, { id, version }: Row) => topic && context.emit(topic, id, version);
  function refused(context: Context): Response | undefined {
    const input = context.body as Input;
    const [field, message] = refuse?.(input) ?? [];
    if (field !== undefined && message !== undefined)
      return problem(422, "This cannot be", message, { errors: [{ field, message }], nextStep: "Correct it." });
    const taken = rows(context).some((row) => (row as Input)["name"] === input["name"] && row.id !== context.params[0]);
    if (input["name"] === undefined || !taken) return undefined;
    const words = `There is already one named ${input["name"] as string}.`;
    return problem(409, "Conflict", words, { errors: [{ field: "/name", message: words }] });
  }
  return [
    ["GET", many, (context) => listed(context, rows(context))],
    [
      "POST",
      many,
      (context) => {
        const refusal = refused(context);
        if (refusal) return refusal;
        const row = make(context.body as Input, context);
        rows(context).push(row);
        publish(context, row);
        return json(row, 201);
      },
    ],
    [
      "GET",
      one,
      (context) => {
        const row = find(context);
        return row ? json(row) : notFound("record");
      },
    ],
    [
      "PATCH",
      one,
      (context) => {
        const row = find(context);
        if (!row) return notFound("record");
        const refusal = stale(context, row.version) ?? refused(context);
        if (refusal) return refusal;
        change(row, context.body as Input);
        row.version += 1;
        publish(context, row);
        return json(row);
      },
    ],
    [
      "DELETE",
      one,
      (context) => {
        const row = find(context);
        if (!row) return notFound("record");
        const refusal = stale(context, row.version);
        if (refusal) return refusal;
        rows(context).splice(rows(context).indexOf(row), 1);
        options.removed?.(context, row);
        publish(context, row);
        return none();
      },
    ],
  ];
}

export const fresh = () => ({ id: newId(), version: 1, createdAt: now() });
