import { randomUUID } from "node:crypto";

export const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
export const now = (): string => ago(0);
export const newId = (): string => randomUUID();
