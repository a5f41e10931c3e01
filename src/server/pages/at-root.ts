/** Data at the own domain of a page, where the paths of its incidents begin at the root. */
import { createExpiringMap } from "../../lib/expiring-map";
import type { Clock } from "../../lib/time";
import { pathOf } from "../../modules/status-page/pages/address";
import { MINUTE } from "../../shared/limits";
import { type CachedResponse, createCachedResponse } from "../http-encoding";

/** A JSON text with paths below the root. A quotation mark within a string has a backslash, so only fields are changed. */
const textAtRoot = (json: string, slug: string): string => json.replaceAll(`"path":"${pathOf(slug)}/`, '"path":"/');

/** Data of a page with paths below the root. */
export const dataAtRoot = <T>(data: T, slug: string): T => JSON.parse(textAtRoot(JSON.stringify(data), slug));

/** Memory of all answers, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Headers that depend on the text. */
const OF_TEXT = new Set(["etag", "content-length", "content-encoding"]);

type Call = (request: Request, url: URL, changed?: Pick<RequestInit, "method" | "headers">) => Promise<Response>;

/** Answers a call about the page with a slug at its domain. The same answer is converted and compressed once in a minute. */
export const createRootCall = ({ clock, call }: { clock: Clock; call: Call }) => {
  const kept = createExpiringMap<string, CachedResponse>(MAX_BYTES);
  return async (request: Request, url: URL, slug: string): Promise<Response> => {
    const headers = new Headers(request.headers);
    for (const name of ["accept-encoding", "if-none-match"]) headers.delete(name);
    // The headers of an answer to HEAD follow from the text too.
    const answer = await call(request, url, { method: "GET", headers });
    if (!answer.ok) return answer;
    const etag = answer.headers.get("etag");
    if (etag === null) return new Response(textAtRoot(await answer.text(), slug), { headers: answer.headers });
    const key = `${slug} ${etag}`;
    const now = clock.now();
    let converted = kept.get(key, now);
    if (!converted) {
      const text = textAtRoot(await answer.text(), slug);
      converted = createCachedResponse(text, { "content-type": "application/json" });
      kept.set(key, converted, now, { lifetime: MINUTE, weight: 3 * text.length });
    }
    const own = await converted(request);
    for (const [name, value] of answer.headers) if (!OF_TEXT.has(name)) own.headers.set(name, value);
    return own;
  };
};
