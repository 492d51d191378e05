import { useEffect, useRef, useState } from "react";
import { place, type Spot, type Task } from "./place";

type Spots = Record<string, Spot>;

/** Spots for a task, reckoned beside the page where there are workers. Undefined until the first are there. */
export function usePlaces(task: Task): Spots | undefined {
  const [spots, setSpots] = useState<Spots>();
  const worker = useRef<Worker>(undefined);
  const number = useRef(0);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = undefined;
    },
    [],
  );
  useEffect(() => {
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
