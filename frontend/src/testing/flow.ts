import { vi } from "vitest";

/** What React Flow needs to start, which jsdom lacks, having no layout; in a `beforeAll`. */
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
