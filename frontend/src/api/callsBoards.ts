import { all, api, data } from "./client";
import { stepsOf } from "./callsPerformance";
import { changeHeaders } from "./http";
import type * as T from "./types";

const on = (id: string) => ({ params: { path: { board_id: id } } });
export const boardList = () => all<T.Board>(api.GET("/api/v1/boards"));
export const boardView = (id: string) => data<T.Board>(api.GET("/api/v1/boards/{board_id}", on(id)));
export const boardCreate = (body: T.BoardInput & { name: string }) =>
  data<T.Board>(api.POST("/api/v1/boards", { body }));
export const boardUpdate = (id: string, body: T.BoardInput, version: number) =>
  data<T.Board>(api.PATCH("/api/v1/boards/{board_id}", { ...on(id), body, headers: changeHeaders(version) }));
export const boardDelete = (id: string, version: number) =>
  api.DELETE("/api/v1/boards/{board_id}", { ...on(id), headers: changeHeaders(version) });
export const boardChartAdd = (id: string, body: T.BoardChartInput) =>
  data<T.Board>(api.POST("/api/v1/boards/{board_id}/charts", { ...on(id), body }));
/** `until` "" means now. */
export const boardSeries = (id: string, minutes: number, until: string) =>
  data<T.BoardSeries>(
    api.GET("/api/v1/boards/{board_id}/series", {
      params: { path: { board_id: id }, query: stepsOf(minutes, until) },
    }),
  );
