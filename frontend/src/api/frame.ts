import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "./__generated__/schema";
import { api, data } from "./client";

type S = components["schemas"];

export type SearchGroup = S["SearchGroup"];
export type SearchHit = S["SearchHit"];
export type SearchKind = SearchGroup["kind"];
export type Overview = S["Overview"];
export type CloudHealth = S["CloudHealth"];
export type ObjectProblem = S["ObjectProblem"];
export type OperationLine = S["OperationLine"];
type OperationLines = S["OperationLines"];

export type Readiness = S["InstallationReadiness"];
export type ReadinessCheck = S["ReadinessCheck"];
export type Restoration = S["RestorationComparison"];
export type RecordDifference = S["RecordDifference"];
export type FirstSteps = S["FirstSteps"];
export type FirstStep = S["FirstStep"];
export type FirstStepsChange = S["PatchedFirstStepsChangeRequest"];

/** The first steps change whenever the overview does. */
export const frameKeys = {
  overview: ["overview"],
  firstSteps: ["overview", "first steps"],
  operations: ["operations"],
  readiness: ["readiness"],
  restoration: ["restoration"],
};

export const SHORTEST = 2;
/** Conditions become Unknown after a time without an event. */
const LOOK_MS = 30_000;
/** A process that hangs publishes no event. */
const READINESS_MS = 15_000;

export const frameQueries = {
  search: (text: string) =>
    queryOptions({
      queryKey: ["search", text],
      queryFn: ({ signal }) =>
        data<S["SearchResult"]>(api.GET("/api/v1/search", { params: { query: { q: text } }, signal })),
      enabled: text.length >= SHORTEST,
      placeholderData: keepPreviousData,
    }),
  overview: () =>
    queryOptions({
      queryKey: frameKeys.overview,
      queryFn: () => data<Overview>(api.GET("/api/v1/overview")),
      refetchInterval: LOOK_MS,
    }),
  readiness: () =>
    queryOptions({
      queryKey: frameKeys.readiness,
      queryFn: () => data<Readiness>(api.GET("/api/v1/readiness")),
      refetchInterval: READINESS_MS,
    }),
  /** Records are compared only while operations are `held` after a restore. */
  restoration: (held: boolean) =>
    queryOptions({
      queryKey: frameKeys.restoration,
      queryFn: () => data<Restoration>(api.GET("/api/v1/restoration")),
      enabled: held,
      refetchInterval: LOOK_MS,
    }),
  firstSteps: () =>
    queryOptions({
      queryKey: frameKeys.firstSteps,
      queryFn: () => data<FirstSteps>(api.GET("/api/v1/first_steps")),
    }),
  operations: () =>
    queryOptions({
      queryKey: frameKeys.operations,
      queryFn: () => data<OperationLines>(api.GET("/api/v1/operations")),
      refetchInterval: LOOK_MS,
    }),
};

export const firstStepsUpdate = (body: FirstStepsChange) =>
  data<FirstSteps>(api.PATCH("/api/v1/first_steps", { body }));

export const restorationRelease = () => data<Restoration>(api.POST("/api/v1/restoration/release"));
