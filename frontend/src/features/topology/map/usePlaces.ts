import { replaceEqualDeep } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { place, type Spot, type Task } from "./place";

type Spots = Record<string, Spot>;

/** A worker computes the layout if the browser has workers. Undefined until the first result. */
export function usePlaces(task: Task): Spots | undefined {
  const [spots, setSpots] = useState<Spots>();
  const worker = useRef<Worker>(undefined);
  const number = useRef(0);
  const asked = useRef<Task>(undefined);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = undefined;
    },
    [],
  );
  useEffect(() => {
    // States change often, but the layout depends only on nodes and links.
    if (asked.current && replaceEqualDeep(asked.current, task) === asked.current) return;
    asked.current = task;
    number.current += 1;
    const mine = number.current;
    if (typeof Worker === "undefined") {
      queueMicrotask(() => setSpots(place(task)));
      return;
    }
    worker.current ??= new Worker(new URL("./place.worker.ts", import.meta.url), { type: "module" });
    worker.current.onmessage = ({ data }: MessageEvent<{ number: number; spots: Spots }>) => {
      if (data.number === number.current) setSpots(data.spots);
    };
    worker.current.postMessage({ number: mine, task });
  }, [task]);
  return spots;
}
