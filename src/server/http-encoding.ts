import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { memoize } from "../lib/headers/memoize";

/** A content coding that the hub can send (RFC 9110, section 8.4.1). */
type Coding = "zstd" | "br" | "gzip";

const gzipInThread = promisify(gzip);
const brotliInThread = promisify(brotliCompress);

/** The weights of an Accept-Encoding header by coding. */
const weightsOf = memoize(
  (header): ReadonlyMap<string, number> =>
    new Map(
      header.split(",").map((part) => {
        const [coding = "", ...parameters] = part.toLowerCase().replace(/\s/g, "").split(";");
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [coding, weight === undefined ? 1 : Number(weight)] as const;
      }),
    ),
);

/**
 * The content coding to answer a request with, or null for an uncompressed body. Of codings with the same q-value the
 * first of `offered` is chosen. `*` means gzip, because clients that send it may know no other coding. A request without
 * Accept-Encoding gets an uncompressed body.
 */
export const acceptedCoding = <C extends Coding>({ headers }: Request, offered: readonly C[]): C | null => {
  const weights = weightsOf(headers.get("accept-encoding") ?? "");
  let best: C | null = null;
  let bestWeight = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? (coding === "gzip" ? weights.get("*") : 0) ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight >= (weights.get("identity") ?? 0) ? best : null;
};

/** Whether the client already has the version of a response that `etag` names: it is then answered with 304. */
export const isNotModified = ({ headers }: Request, etag: string): boolean => {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  const etags = headers.get("if-none-match")?.split(",").map(opaque) ?? [];
  return etags.includes("*") || etags.includes(opaque(etag));
};

type CachedOptions = {
  status?: number;
  /** Whether the text stays the same for as long as the process runs: it is then compressed as far as possible. */
  isConstant?: boolean;
};

/**
 * A text, or its UTF-8 bytes, that is sent many times: compressed once for each coding, in another thread, when a client first accepts it, and
 * revalidated by an ETag. The result answers a request, with 304 where the client has this version.
 */
export const createCachedResponse = (
  text: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  { status = 200, isConstant = false }: CachedOptions = {},
) => {
  const plain = typeof text === "string" ? new TextEncoder().encode(text) : text;
  // Weak, because the same text is sent compressed and uncompressed.
  const etag = `W/"${Bun.hash(plain).toString(36)}"`;
  const base = { etag, "cache-control": "no-cache", vary: "accept-encoding", ...headers };
  // At 6, brotli takes about as long as gzip and saves a fifth more. At 11 it takes 0.1 s for 250 KB and saves a tenth more.
  const quality = isConstant ? constants.BROTLI_MAX_QUALITY : 6;
  const compress = {
    br: () => brotliInThread(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    gzip: () => gzipInThread(plain, { level: isConstant ? constants.Z_BEST_COMPRESSION : 6 }),
  };
  const compressed: { [C in keyof typeof compress]?: Promise<Uint8Array<ArrayBuffer>> } = {};

  return async (request: Request): Promise<Response> => {
    if (status < 300 && isNotModified(request, etag)) return new Response(null, { status: 304, headers: base });
    const coding = acceptedCoding(request, ["br", "gzip"]);
    if (!coding) return new Response(plain, { status, headers: base });
    compressed[coding] ??= compress[coding]().then((bytes) => new Uint8Array(bytes));
    return new Response(await compressed[coding], { status, headers: { ...base, "content-encoding": coding } });
  };
};

export type CachedResponse = ReturnType<typeof createCachedResponse>;

/** Bytes below which compression saves no packet. */
const MIN_COMPRESSED = 1400;

/**
 * A JSON response in a content coding that the client accepts. Downloads and responses that are encoded already stay as
 * they are. Another thread compresses, so that checks are not delayed.
 */
export const compressJson = async (request: Request, response: Response): Promise<Response> => {
  const coding = acceptedCoding(request, ["zstd", "gzip"]);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  if (!coding || !isJson) return response;
  if (response.headers.has("content-encoding") || response.headers.has("content-disposition")) return response;
  const body = new Uint8Array(await response.arrayBuffer());
  const { status } = response;
  const headers = new Headers(response.headers);
  if (body.byteLength < MIN_COMPRESSED) return new Response(body, { status, headers });
  headers.set("vary", "accept-encoding");
  headers.set("content-encoding", coding);
  headers.delete("content-length");
  const compressed =
    coding === "zstd"
      ? await Bun.zstdCompress(body, { level: 1 })
      : await gzipInThread(body, { level: constants.Z_BEST_SPEED });
  return new Response(new Uint8Array(compressed), { status, headers });
};
