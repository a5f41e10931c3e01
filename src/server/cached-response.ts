import { promisify } from "node:util";
import { gzip } from "node:zlib";

const gzipInThread = promisify(gzip);

/** A text that is asked for again and again: compressed once for each way in which it is asked for. */
export const createCachedResponse = (text: string, headers: Record<string, string>, status = 200) => {
  const plain = new TextEncoder().encode(text);
  // Weak: the same text in several encodings.
  const etag = `W/"${Bun.hash(plain).toString(36)}"`;
  const base = { etag, "cache-control": "no-cache", vary: "accept-encoding", ...headers };
  let zipped: Promise<Uint8Array<ArrayBuffer>> | undefined;

  const zip = () => {
    zipped ??= gzipInThread(plain, { level: 6 }).then((bytes) => new Uint8Array(bytes));
    return zipped;
  };

  /** The answer to this request: 304 for whoever has it already. */
  return async (request: Request): Promise<Response> => {
    if (request.headers.get("if-none-match")?.includes(etag.slice(2)))
      return new Response(null, { status: 304, headers: base });
    if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? ""))
      return new Response(plain, { status, headers: base });
    return new Response(await zip(), { status, headers: { ...base, "content-encoding": "gzip" } });
  };
};

export type CachedResponse = ReturnType<typeof createCachedResponse>;
