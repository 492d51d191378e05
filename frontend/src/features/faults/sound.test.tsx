import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { renderAlarms } from "@/testing/alarms";
import { chime } from "./alerts";

const user = userEvent.setup();
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

interface Note {
  hz: number;
  from: number;
  to: number;
}
const notesPlayed: Note[] = [];
const clock = { seconds: 0 };

/** Replaces the browser's audio, which jsdom lacks, and records which notes would play when. */
class Recorder {
  destination = {};
  get currentTime() {
    return clock.seconds;
  }
  resume = () => Promise.resolve();
  createGain = () => ({ gain: { value: 1 }, connect: () => undefined });
  createOscillator = () => {
    const frequency = { value: 0 };
    let from = NaN;
    return {
      frequency,
      connect: () => undefined,
      start: (at: number) => void (from = at),
      stop: (to: number) => void notesPlayed.push({ hz: frequency.value, from, to }),
    };
  };
}

it("plays two notes for new alarms when enabled, once for a burst", async () => {
  vi.stubGlobal("AudioContext", Recorder);
  const raise = renderAlarms();
  await screen.findByRole("row", { name: /lab-west has not answered/ });
  expect(notesPlayed).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Alert me" }));
  await user.click(await screen.findByRole("checkbox", { name: "Sound" }));
  await waitFor(() => expect(notesPlayed.map(({ hz }) => hz)).toEqual([880, 660]));
  const [first, second] = notesPlayed;
  expect(second?.from).toBeCloseTo(first?.to ?? NaN);
  await user.keyboard("{Escape}");
  clock.seconds = 60;
  raise();
  await user.click(screen.getByRole("button", { name: "Acknowledge Cloud unreachable" })); // Acknowledging publishes an event of alarms.
  await waitFor(() => expect(notesPlayed.map(({ from }) => Math.floor(from))).toEqual([0, 0, 60, 60]));
  clock.seconds = 120;
  chime();
  chime();
  await waitFor(() => expect(notesPlayed.at(-1)?.to).toBeGreaterThan(120));
  expect(notesPlayed).toHaveLength(6);
});
