import { GlobalRegistrator } from "@happy-dom/global-registrator";

// Import this before anything that uses the DOM. Calls go over a real socket to the server below, so fetch and its classes remain the runtime's.
type Handler = (request: Request, path: string) => Response | Promise<Response>;
type Call = { method: string; path: string; authorization: string | null; body: unknown };

const refuse: Handler = (_request, path) => Response.json({ success: false, code: "not_found", path }, { status: 404 });
let handler = refuse;
const calls: Call[] = [];

const { Response, Request, Headers, AbortSignal, AbortController, FormData, Blob } = globalThis;
const send = globalThis.fetch;

// A call of one test may arrive when the next has begun, so each call carries the number of its test.
const mark = "x-test";
let turn = 0;
/** A form with files of the DOM under test as one of the runtime. */
const formOf = async (sent: InstanceType<typeof FormData>) => {
  const form = new FormData();
  for (const [name, value] of sent) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, new Blob([await value.arrayBuffer()]), value.name);
  }
  return form;
};

const fetch = Object.assign(async (input: string | URL | Request, init?: RequestInit) => {
  const headers = new Headers(init?.headers);
  headers.set(mark, String(turn));
  const body = init?.body instanceof globalThis.FormData ? await formOf(init.body) : init?.body;
  return send(input, { ...init, headers, ...(body && { body }) });
}, send);

const server = Bun.serve({
  port: 0,
  // A call on a connection that the server closes at this moment would be lost.
  idleTimeout: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const text = await request.clone().text();
    if (request.headers.get(mark) !== String(turn)) return refuse(request, pathname);
    calls.push({
      method: request.method,
      path: pathname + search,
      authorization: request.headers.get("authorization"),
      body: text && !/^multipart/.test(request.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined,
    });
    return handler(request, pathname);
  },
});
server.unref();

GlobalRegistrator.register({
  ...{ url: `http://localhost:${server.port}/`, width: 1280, height: 800 },
  // Stylesheets are not read, and count as loaded.
  settings: { handleDisabledFileLoadingAsSuccess: true },
});
Object.assign(globalThis, { fetch, Response, Request, Headers, AbortSignal, AbortController });
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// React reports errors of components while it renders. Bun would end the test and unmount the page within that call,
// which React does not survive: every later test would fail.
Object.assign(globalThis, {
  reportError: (error: unknown) =>
    void setTimeout(() => {
      throw error;
    }),
});
// As in the page's document, addresses do not depend on the screen that is open.
document.head.append(Object.assign(document.createElement("base"), { href: "/" }));

/** Characters of an element in the message of a failed assertion. */
const SHOWN = 2000;
// By default Bun prints an element with all of React's objects. These 180 MB delay each attempt of `waitFor` by half a minute.
Object.defineProperty(Node.prototype, Symbol.for("nodejs.util.inspect.custom"), {
  value(this: Node) {
    return (this instanceof Element ? this.outerHTML : `${this.nodeName} ${this.nodeValue ?? ""}`).slice(0, SHOWN);
  },
});

/** Changes the width of the window, in pixels. */
export const setWidth = (width: number): void =>
  (window as unknown as { happyDOM: { setViewport: (size: object) => void } }).happyDOM.setViewport({ width });

/** The server that the page under test calls. */
export const fakeServer = {
  calls,
  answer(next: Handler) {
    handler = next;
  },
  reset() {
    turn++;
    handler = refuse;
    calls.length = 0;
    localStorage.clear();
    sessionStorage.clear();
  },
};
