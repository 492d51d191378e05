import { replaceEqualDeep } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { place, type Spot, type Task } from "./place";

type Spots = Record<string, Spot>;

/** Spots for a task, computed in a worker where there are workers. Undefined until the first are there. */
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
    // States change all the time; where things stand depends on what there is, and what is linked.
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
