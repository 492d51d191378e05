import { vi } from "vitest";

/** React Flow does not start without these, and jsdom has no layout. Call it in a `beforeAll`. */
export function stubLayoutForFlow(): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe = () => undefined;
      unobserve = () => undefined;
      disconnect = () => undefined;
    },
  );
  vi.stubGlobal(
    "DOMMatrixReadOnly",
    class {
      m22 = 1;
    },
  );
}
