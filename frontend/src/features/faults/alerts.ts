import type { Severity } from "@/api/types";
import { SEVERITIES } from "@/ui/states";
import { useStored } from "@/ui/stored";

/** Settings of alerts to new alarms. Off by default. */
export interface Alerts {
  sound: boolean;
  notification: boolean;
  /** Of alarms that are at least so severe. */
  from: Severity;
}

const LEAST: Severity = "INDETERMINATE";
/** Thresholds for alerts, worst first. */
export const THRESHOLDS = SEVERITIES.filter((severity) => severity !== "CLEARED");
export const isSevere = (severity: Severity, from: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(from);

function alertsOf(found: unknown): Alerts {
  const { sound, notification, from } = (found ?? {}) as Partial<Alerts>;
  const known = THRESHOLDS.find((severity) => severity === from);
  return { sound: sound === true, notification: notification === true, from: known ?? LEAST };
}
export const useAlerts = () => useStored("vnfm.alerts", alertsOf);

/** What the browser lets us show: it asks its user once, and keeps the answer. */
export function mayNotify(): NotificationPermission | "unsupported" {
  if (!("Notification" in globalThis) || !globalThis.isSecureContext) return "unsupported";
  return Notification.permission;
}

const NOTES_HZ = [880, 660];
const NOTE_SECONDS = 0.18;
const VOLUME = 0.15;

/** One of the page: browsers allow only some, and one that may not sound yet is never done with. */
let player: AudioContext | undefined;
/** When the notes that sound have ended, in the player's time: those that waited together are heard as one. */
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

/** Two short notes. Browsers keep silent until the page was clicked or typed into once. */
export function chime(): void {
  const audio = (player ??= new AudioContext());
  void audio.resume().then(() => ring(audio));
}
