import "@testing-library/jest-dom/vitest";
import { Blob, File } from "node:buffer";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
// Uploads go to the mock API in Node's own Request; jsdom's files and forms lose their names on the way there.
// The files of a worker share its modules and, but for jsdom's, its globals: the first one finds what Node has.
interface OfNode {
  Request: typeof Request;
  FormData: typeof FormData;
}
const ofNode = globalThis as typeof globalThis & { ofNode?: OfNode };
ofNode.ofNode ??= {
  Request: Object.getPrototypeOf(Request) as typeof Request,
  FormData: (await new Response(new URLSearchParams()).formData()).constructor as typeof FormData,
};
Object.assign(globalThis, { Blob, File, ...ofNode.ofNode });
// A page's code is loaded when it is first shown; on a busy machine that takes longer than the default second.
configure({
  asyncUtilTimeout: 10_000,
  // A query that waits fails in every round, and only the last error is read: the document is printed for that one.
  getElementError: (message, container) => {
    const error = new Error();
    error.name = "TestingLibraryElementError";
    const text = () => [message, prettyDOM(container)].filter(Boolean).join("\n\n");
    return Object.defineProperty(error, "message", { configurable: true, get: text });
  },
});

// What jsdom lacks of a browser; some tests run without it.
if (typeof Element !== "undefined") {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.setPointerCapture = () => undefined;
}
globalThis.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
