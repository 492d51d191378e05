import { useSyncExternalStore } from "react";

export type ThemeChoice = "system" | "light" | "dark";
const STORED = "vnfm.theme";
const CONTRAST = "vnfm.contrast";
const DARK_CLASS = "pf-v6-theme-dark";
const CONTRAST_CLASS = "pf-v6-theme-high-contrast";
const system = () => globalThis.matchMedia("(prefers-color-scheme: dark)");
const moreContrast = () => globalThis.matchMedia("(prefers-contrast: more)");
const listeners = new Set<() => void>();

function stored(): ThemeChoice {
  const value = localStorage.getItem(STORED);
  return value === "light" || value === "dark" ? value : "system";
}
function isDark(): boolean {
  const choice = stored();
  return choice === "system" ? system().matches : choice === "dark";
}
/** The user's choice, otherwise the system's. */
function isHighContrast(): boolean {
  const value = localStorage.getItem(CONTRAST);
  return value === null ? moreContrast().matches : value === "1";
}
function apply(): void {
  document.documentElement.classList.toggle(CONTRAST_CLASS, isHighContrast());
  document.documentElement.classList.toggle(DARK_CLASS, isDark());
  document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
  listeners.forEach((listener) => listener());
}

export function startTheme(): void {
  system().addEventListener("change", apply);
  moreContrast().addEventListener("change", apply);
  apply();
}
export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, choice);
  apply();
}
export function chooseContrast(high: boolean): void {
  if (high === moreContrast().matches) localStorage.removeItem(CONTRAST);
  else localStorage.setItem(CONTRAST, high ? "1" : "0");
  apply();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, stored);
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, isDark);
export const useIsHighContrast = (): boolean => useSyncExternalStore(subscribe, isHighContrast);
