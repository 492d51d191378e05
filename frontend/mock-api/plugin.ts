import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Connect, Plugin } from "vite";
import { createMock } from "./mock";

const API = /^\/(api|vnfpkgm|vnflcm|vnffm|vnfpm|vnfind)\//;

/** The real server sends this policy; development and preview send it too, so that a violation is found early. */
const CSP = [
  "default-src 'self'; img-src 'self' data:; style-src 'self'; style-src-attr 'unsafe-inline'",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join("; ");

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function answer(handle: (request: Request) => Promise<Response>, req: IncomingMessage, res: ServerResponse) {
  const hasBody = req.method !== "GET" && req.method !== "HEAD";
  const request = new Request(new URL(req.url ?? "/", `http://${req.headers.host ?? "localhost"}`), {
    method: req.method ?? "GET",
    headers: Object.entries(req.headers).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
    ...(hasBody ? { body: new Uint8Array(await bodyOf(req)) } : {}),
  });
  const response = await handle(request);
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (!response.body) return res.end();
  const stream = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]);
  stream.on("error", () => res.end());
  res.on("close", () => stream.destroy());
  return stream.pipe(res);
}

/** Serves the mock API in `vite dev` and `vite preview`; the bundle does not contain it. */
export function mockApi(): Plugin {
  const handle = createMock({ live: true });
  const middleware: Connect.NextHandleFunction = (req, res, next) => {
    // A lost answer is a closed connection.
    if (API.test(req.url ?? "")) void answer(handle, req, res).catch(() => req.socket.destroy());
    else next();
  };
  return {
    name: "vnfm-mock-api",
    configureServer: (server) => void server.middlewares.use(middleware),
    configurePreviewServer: (server) => {
      server.middlewares.use((_req, res, next) => {
        res.setHeader("Content-Security-Policy", CSP);
        next();
      });
      server.middlewares.use(middleware);
    },
  };
}
