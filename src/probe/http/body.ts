/** Decompresses and decodes bodies, within bounds. */
import type { Transform } from "node:stream";
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from "node:zlib";

/** Bytes of a body after decompression; the rest is not looked at. */
const MAX_TEXT = 1024 * 1024;

/** The Accept-Encoding of requests whose body is read. */
export const ACCEPT_ENCODING = "gzip, deflate, br, zstd";

// A body that is cut after its first bytes is decompressed as far as it goes.
const flush = { finishFlush: constants.Z_SYNC_FLUSH };

/** The low bits of the first byte of a zlib stream. Some servers send its content without that header. */
const isZlib = (bytes: Buffer) => ((bytes[0] ?? 0) & 0x0f) === 8;

const DECOMPRESSORS: Record<string, (bytes: Buffer) => Transform> = {
  gzip: () => createGunzip(flush),
  "x-gzip": () => createGunzip(flush),
  deflate: (bytes) => (isZlib(bytes) ? createInflate(flush) : createInflateRaw(flush)),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
};

/** Encodings of one body. */
const MAX_ENCODINGS = 3;

/** Bytes of a body, and whether it was longer. */
type Content = { bytes: Buffer; isCut: boolean };

/** Null for content that is not of this encoding. @throws the signal's reason */
const decompressOnce = ({ bytes, isCut }: Content, encoding: string, signal: AbortSignal): Promise<Content | null> =>
  new Promise((resolve, reject) => {
    const stream = DECOMPRESSORS[encoding]?.(bytes);
    if (!stream) return resolve(null);
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      signal.removeEventListener("abort", abort);
      stream.destroy();
      settle();
    };
    const abort = () => finish(() => reject(signal.reason));
    const done = () => finish(() => resolve({ bytes: Buffer.concat(parts), isCut: isCut || size > MAX_TEXT }));
    stream.on("data", (part: Buffer) => {
      if (size < MAX_TEXT) parts.push(part.subarray(0, MAX_TEXT - size));
      size += part.length;
      if (size > MAX_TEXT) done();
    });
    stream.on("end", done);
    // What came before the end of a body that was cut is content all the same.
    stream.on("error", () => (isCut && size > 0 ? done() : finish(() => resolve(null))));
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    stream.end(bytes);
  });

/**
 * Decompresses a body to at most MAX_TEXT bytes by its Content-Encoding; null if that fails.
 * @throws the signal's reason
 */
export const decompress = async (
  content: Content,
  contentEncoding: string | undefined,
  signal: AbortSignal,
): Promise<Content | null> => {
  const encodings = (contentEncoding ?? "").toLowerCase().split(/\s*,\s*/);
  const applied = encodings.filter((encoding) => encoding !== "" && encoding !== "identity").reverse();
  if (applied.length > MAX_ENCODINGS) return null;
  let current: Content | null = content;
  for (const encoding of applied)
    if (current && current.bytes.length > 0) current = await decompressOnce(current, encoding, signal);
  return current;
};

/** Bytes of a page that are searched for the charset that it states. */
const META_SEARCHED = 1024;
const META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
/** Characters of a Content-Type that are searched for a charset. */
const CONTENT_TYPE_SEARCHED = 256;
const XML = /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i;

const decoderOf = (label: string | undefined): TextDecoder | null => {
  try {
    return label ? new TextDecoder(label) : null;
  } catch {
    return null;
  }
};

/** Decodes a body by its byte order mark, the charset of its Content-Type, its own declaration, or as UTF-8. */
export const decode = (bytes: Buffer, contentType: string | undefined): string => {
  const mark = bytes[0] === 0xef ? "utf-8" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
  const littleEndian = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
  const isMarked = mark === "utf-8" ? bytes[1] === 0xbb && bytes[2] === 0xbf : mark !== undefined;
  const charset = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(
    contentType?.slice(0, CONTENT_TYPE_SEARCHED) ?? "",
  )?.[1];
  const start = bytes.toString("latin1", 0, META_SEARCHED);
  const decoder =
    decoderOf(isMarked ? mark : littleEndian) ??
    decoderOf(charset) ??
    decoderOf(META.exec(start)?.[1] ?? XML.exec(start)?.[1]) ??
    new TextDecoder();
  return decoder.decode(bytes);
};
