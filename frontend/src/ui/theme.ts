import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";
const STORED = "vnfm.theme";
const DARK_CLASS = "pf-v6-theme-dark";
const system = () => globalThis.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();

function stored(): ThemeChoice {
  const value = localStorage.getItem(STORED);
  return value === "light" || value === "dark" ? value : "system";
}
export function isDark(): boolean {
  const choice = stored();
  return choice === "system" ? system().matches : choice === "dark";
}
function apply(): void {
  document.documentElement.classList.toggle(DARK_CLASS, isDark());
  document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
  listeners.forEach((listener) => listener());
}

export function startTheme(): void {
  system().addEventListener("change", apply);
  apply();
}
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, choice);
  apply();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, stored);
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark);
