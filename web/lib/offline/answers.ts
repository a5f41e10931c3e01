/** The cache of the browser with the last answers. It exists on https and localhost only. */
const CACHE = "answers";
const MAX_ANSWERS = 30;
const MAX_LENGTH = 1_000_000;
/** How often one answer is written, in ms. */
const WRITE_EVERY = 30_000;

const OWNER = "x-owner";
const KEPT_AT = "x-kept-at";

/** Answers that are shown while the server cannot be reached: the dashboard and the lists, without settings and secrets. */
const isKept = (url: URL): boolean =>
  /\/api\/(dashboard|monitors|agents)$/.test(url.pathname) && !url.searchParams.has("search");

/** Writes and deletions one after the other, so that nothing is written after it was purged. */
let last: Promise<unknown> = Promise.resolve();
const inTurn = (act: () => Promise<unknown>): Promise<unknown> => {
  last = last.then(act).catch((error) => console.warn("Failed to keep data for offline use", error));
  return last;
};

const isAvailable = () => "caches" in globalThis;

/** When each answer was last written. */
const written = new Map<string, number>();

/** Deletes the kept answers of every user. */
export const purgeAnswers = async (): Promise<void> => {
  written.clear();
  if (isAvailable()) await inTurn(() => caches.delete(CACHE));
};

const keep = (url: string, owner: string, answer: Response, isStill: () => boolean) =>
  inTurn(async () => {
    const text = await answer.text();
    if (text.length > MAX_LENGTH || !isStill()) return;
    const cache = await caches.open(CACHE);
    const headers = { "content-type": "application/json", [OWNER]: owner, [KEPT_AT]: String(Date.now()) };
    await cache.put(url, new Response(text, { headers }));
    const all = await cache.keys();
    for (const request of all.slice(0, Math.max(0, all.length - MAX_ANSWERS))) await cache.delete(request);
  });

const recall = async (url: string, owner: string): Promise<{ answer: Response; at: number } | null> => {
  try {
    const answer = await (await caches.open(CACHE)).match(url);
    if (!answer || answer.headers.get(OWNER) !== owner) return null;
    return { answer, at: Number(answer.headers.get(KEPT_AT)) };
  } catch {
    return null;
  }
};

/** Whether an answer was kept from an earlier call. */
export const isRecalled = ({ headers }: Pick<Response, "headers">): boolean => headers.has(KEPT_AT);

/** Whether a proxy answers for a server that it cannot reach. */
const isUnreachable = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && !headers.get("content-type")?.includes("json");

type Options = {
  /** Names the signed-in user and the build of the page: answers of other users or of another format are not read. */
  owner: () => string | null;
  /** Called with the time of an answer that was kept, or null when the server has answered. */
  onAge: (at: number | null) => void;
  send?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
};

/**
 * Creates a fetch that keeps the last answers of a user. While the server cannot be reached, pages without data get these;
 * pages with data get the failure, and keep their data.
 */
export const createKeepingFetch = ({ owner, onAge, send = (input, init) => fetch(input, init) }: Options) => {
  const answered = new Set<string>();
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input, document.baseURI);
    const asker = owner();
    const mayKeep = asker !== null && (init?.method ?? "GET") === "GET" && isKept(url) && isAvailable();
    const key = `${asker} ${url.href}`;
    let failure: { response: Response } | { error: unknown };
    try {
      const response = await send(input, init);
      if (!isUnreachable(response)) {
        onAge(null);
        if (!mayKeep || !response.ok) return response;
        answered.add(key);
        if (Date.now() - (written.get(key) ?? 0) >= WRITE_EVERY) {
          written.set(key, Date.now());
          void keep(url.href, asker, response.clone(), () => owner() === asker);
        }
        return response;
      }
      failure = { response };
    } catch (error) {
      failure = { error };
    }
    const keptAnswer = mayKeep && !answered.has(key) ? await recall(url.href, asker) : null;
    if (keptAnswer && owner() === asker) {
      onAge(keptAnswer.at);
      return keptAnswer.answer;
    }
    if ("response" in failure) return failure.response;
    throw failure.error;
  };
};
