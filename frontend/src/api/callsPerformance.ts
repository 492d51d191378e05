import { api, data, page } from "./client";
import { counters } from "./callsConfiguration";
import type * as T from "./types";

export const performanceTop = (query: T.TopQuery) =>
  page<T.TopRow>(api.GET("/api/v1/performance/top", { params: { query } }));

/** Readings are a minute apart: finer steps would show gaps where none are. */
const SHORTEST_STEP = 60;
const STEPS = 120;
const MINUTE_MS = 60_000;

/** Series over the same time have the same steps, so that they can be compared. */
export function stepsOf(minutes: number, until: string): { step: number; from: string; to: string } {
  const step = Math.max(SHORTEST_STEP, (minutes * 60) / STEPS);
  const stepMs = step * 1000;
  const end = Math.ceil((until === "" ? Date.now() : Date.parse(until)) / stepMs) * stepMs;
  const text = (at: number) => new Date(at).toISOString();
  return { step, from: text(end - minutes * MINUTE_MS), to: text(end) };
}
export const counterSeries = (elementId: string, object: string, counter: string, minutes: number, until: string) =>
  counters(elementId, { object, names: counter, ...stepsOf(minutes, until) });

export const instanceTraffic = (instanceId: string, minutes: number): Promise<T.Traffic> =>
  data(
    api.GET("/api/v1/vnf_instances/{instance_id}/traffic", {
      params: {
        path: { instance_id: instanceId },
        query: { from: new Date(Date.now() - minutes * MINUTE_MS).toISOString(), step: Math.max(1, minutes / 2) },
      },
    }),
  );
