/**
 * Keeps the console's document and code, so that it opens without a network. A document is always asked of the server
 * first, so an upgrade shows at once; files have a hash in their names and never change. Answers of the API are kept by
 * the page (lib/offline/answers.ts), which knows whose they are.
 */

/** The files of this build, the document's first script first. Set by the build. */
declare const FILES: string[];
/** Changes with each build. */
declare const VERSION: string;

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type FetchEvent = ExtendableEvent & { request: Request; respondWith(response: Promise<Response>): void };
type Worker = {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(name: "fetch", listener: (event: FetchEvent) => void): void;
};

const worker = self as unknown as Worker;
const PREFIX = "shell-";
const NAME = PREFIX + VERSION;
const { scope } = worker.registration;
/** Time until a kept document is shown instead of an awaited one (ms). */
const TIMEOUT = 6000;

/** Whether a document belongs to this build. */
const isOwn = async (response: Response): Promise<boolean> =>
  response.ok && (await response.clone().text()).includes(FILES[0] as string);

const install = async () => {
  const cache = await caches.open(NAME);
  const page = await fetch(scope, { cache: "no-store", credentials: "omit" });
  if (!(await isOwn(page))) throw new Error("the server has another build by now");
  await cache.addAll(FILES.map((name) => new URL(name, scope).href));
  await cache.put(scope, page);
  await worker.skipWaiting();
};

/** Deletes the code of old builds except the previous one, which other tabs may use. */
const activate = async () => {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
  for (const name of others.slice(0, -1)) await caches.delete(name);
  await worker.clients.claim();
};

/** Paths of the server that are no screens of the console. */
const OTHER =
  /^(api|badge|downloads|metrics|health|healthz|readyz|livez|ready|-|install\.sh)(\/|$)|^status(\/(?!config\/?$)|$)|\./;

const late = () => new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT));

/** A screen's document: the server's, or the kept one when it cannot be reached. A proxy answers 502 to 504 for it. */
const openScreen = async (event: FetchEvent): Promise<Response> => {
  const fresh = fetch(event.request).then(async (response) => {
    if (response.status >= 502 && response.status <= 504) throw new Error(`the server answers ${response.status}`);
    // Its settings may have changed.
    const copy = response.clone();
    event.waitUntil(isOwn(copy).then(async (own) => own && (await caches.open(NAME)).put(scope, copy)));
    return response;
  });
  const keptDocument = await (await caches.open(NAME)).match(scope);
  if (!keptDocument) return fresh;
  return (await Promise.race([fresh.catch(() => null), late()])) ?? keptDocument;
};

const HASHED = /^[^/]+-[\da-z]{8}\.(js|css|svg)$/;

/** A file with a hash in its name is taken from any build that is kept; the scripts of the head from the server first. */
const openFile = async (request: Request, isHashed: boolean): Promise<Response> => {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached && isHashed) return cached;
  return fetch(request).catch((error) => {
    if (cached) return cached;
    throw error;
  });
};

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope)) return;
  const path = new URL(request.url).pathname.slice(new URL(scope).pathname.length);
  if (request.mode === "navigate") {
    if (!OTHER.test(path)) event.respondWith(openScreen(event));
  } else if (FILES.includes(path) || HASHED.test(path)) event.respondWith(openFile(request, HASHED.test(path)));
});

// Makes this file a module, so that its names do not clash with the page's.
export {};
