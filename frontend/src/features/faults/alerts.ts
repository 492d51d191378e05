import type { Severity } from "@/api/types";
import { SEVERITIES } from "@/ui/states";
import { useStored } from "@/ui/stored";

export interface Alerts {
  sound: boolean;
  notification: boolean;
  /** The least severity that alerts. */
  from: Severity;
}

const LEAST: Severity = "INDETERMINATE";
/** The worst severity comes first. */
export const THRESHOLDS = SEVERITIES.filter((severity) => severity !== "CLEARED");
export const isSevere = (severity: Severity, from: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(from);

function alertsOf(found: unknown): Alerts {
  const { sound, notification, from } = (found ?? {}) as Partial<Alerts>;
  const known = THRESHOLDS.find((severity) => severity === from);
  return { sound: sound === true, notification: notification === true, from: known ?? LEAST };
}
export const useAlerts = () => useStored("vnfm.alerts", alertsOf);

/** The browser asks its user once and remembers the answer. */
export function mayNotify(): NotificationPermission | "unsupported" {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return "unsupported";
  return Notification.permission;
}

const NOTES_HZ = [880, 660];
const NOTE_SECONDS = 0.18;
const VOLUME = 0.15;

/** All alerts share one context: browsers limit their number, and one that may not play yet is never closed. */
let player: AudioContext | undefined;
/** Alerts that waited together must not play on top of each other; times are those of `player`. */
let endsAt = 0;

function ring(audio: AudioContext): void {
  if (audio.currentTime < endsAt) return;
  endsAt = audio.currentTime + NOTES_HZ.length * NOTE_SECONDS;
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  NOTES_HZ.forEach((frequency, index) => {
    const note = audio.createOscillator();
    note.frequency.value = frequency;
    note.connect(volume);
    note.start(audio.currentTime + index * NOTE_SECONDS);
    note.stop(audio.currentTime + (index + 1) * NOTE_SECONDS);
  });
}

/** Browsers play nothing until the user has clicked or typed in the page. */
export function chime(): void {
  const audio = (player ??= new AudioContext());
  void audio.resume().then(() => ring(audio));
}
