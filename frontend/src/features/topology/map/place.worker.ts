import { place, type Task } from "./place";

onmessage = ({ data }: MessageEvent<{ number: number; task: Task }>) => {
  postMessage({ number: data.number, spots: place(data.task) });
};
