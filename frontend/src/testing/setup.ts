import "@testing-library/jest-dom/vitest";
import { Blob, File } from "node:buffer";
import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
// Uploads reach the mock API in Node's own Request, because jsdom's files and forms lose their names on the way.
// Test files of one worker share modules but not jsdom's globals, so the first file stores what Node has.
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
  // A query that waits fails in every round, and only the last error is read, so the document is printed for that one.
  getElementError: (message, container) => {
    const error = new Error();
    error.name = "TestingLibraryElementError";
    const text = () => [message, prettyDOM(container)].filter(Boolean).join("\n\n");
    return Object.defineProperty(error, "message", { configurable: true, get: text });
  },
});

// jsdom lacks these functions of a browser; some tests run without jsdom.
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
