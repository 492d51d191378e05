type Handle = (request: Request) => Promise<Response>;

/** Sends uploads to the mock API and reports half of the body at once, so that a progress is visible. */
export function xhrOver(handle: Handle): new () => object {
  return class {
    readonly upload: { onprogress?: (event: object) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    status = 0;
    responseText = "";
    #method = "";
    #path = "";
    #aborted = false;
    readonly #sent = new Headers();
    #received = new Headers();

    open(method: string, path: string) {
      this.#method = method;
      this.#path = path;
    }
    setRequestHeader(name: string, value: string) {
      this.#sent.set(name, value);
    }
    getResponseHeader(name: string) {
      return this.#received.get(name);
    }
    abort() {
      this.#aborted = true;
      this.onabort?.();
    }
    send(body: Blob | FormData) {
      this.upload.onprogress?.({ loaded: 512, total: 1024, lengthComputable: true });
      void this.#answer(body).catch(() => this.onerror?.());
    }
    async #answer(body: Blob | FormData) {
      const url = new URL(this.#path, location.origin);
      const response = await handle(new Request(url, { method: this.#method, headers: this.#sent, body }));
      this.responseText = await response.text();
      this.status = response.status;
      this.#received = response.headers;
      if (!this.#aborted) this.onload?.();
    }
  };
}
