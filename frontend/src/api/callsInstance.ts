import { all, api, data } from "./client";
import type * as T from "./types";

const instanceId = (id: string) => ({ params: { path: { instance_id: id } } });
const vnfcId = (id: string, vnfc: string) => ({ params: { path: { instance_id: id, vnfc_id: vnfc } } });

export const vnfcConsole = (id: string, vnfc: string) =>
  data<T.Console>(api.POST("/api/v1/vnf_instances/{instance_id}/vnfcs/{vnfc_id}/console", vnfcId(id, vnfc)));
export const vnfcConsoleLog = (id: string, vnfc: string) =>
  data<T.ConsoleLog>(api.GET("/api/v1/vnf_instances/{instance_id}/vnfcs/{vnfc_id}/console_log", vnfcId(id, vnfc)));

export const instanceNotes = (id: string) =>
  all<T.Note>(api.GET("/api/v1/vnf_instances/{instance_id}/notes", instanceId(id)));
export const instanceNoteCreate = (id: string, text: string) =>
  data<T.Note>(api.POST("/api/v1/vnf_instances/{instance_id}/notes", { ...instanceId(id), body: { text } }));
export const instanceNoteDelete = (id: string, note: string) =>
  api.DELETE("/api/v1/vnf_instances/{instance_id}/notes/{note_id}", {
    params: { path: { instance_id: id, note_id: note } },
  });

export const instanceSnapshots = (id: string) =>
  all<T.InstanceSnapshot>(api.GET("/api/v1/vnf_instances/{instance_id}/snapshots", instanceId(id)));
/** An operation fills the snapshot later. */
export const snapshotCreate = () => data<{ id: string }>(api.POST("/vnflcm/v2/vnf_snapshots"));
export const snapshotDelete = (id: string) =>
  api.DELETE("/vnflcm/v2/vnf_snapshots/{snapshot_id}", { params: { path: { snapshot_id: id } } });
