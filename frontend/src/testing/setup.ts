import "@testing-library/jest-dom/vitest";
import { Blob, File } from "node:buffer";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
// Uploads go to the mock API in Node's own Request; jsdom's files and forms lose their names on the way there.
const form: FormData = await new Response(new URLSearchParams()).formData();
const node = { Blob, File, FormData: form.constructor, Request: Object.getPrototypeOf(Request) as typeof Request };
Object.assign(globalThis, node);
// A page's code is loaded when it is first shown; on a busy machine that takes longer than the default second.
configure({ asyncUtilTimeout: 10_000 });

// What jsdom lacks of a browser; some tests run without it.
if (typeof Element !== "undefined") {
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
}
globalThis.matchMedia = (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
