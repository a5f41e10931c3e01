import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";

const gzipInThread = promisify(gzip);

/** Shorter answers fit into a packet or two as they are. */
const WORTHWHILE = 1400;

/** An answer in JSON as the client takes it. The work is done by another thread, so that checks are not held up. */
export const compressJson = async (request: Request, response: Response): Promise<Response> => {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const type = response.headers.get("content-type") ?? "";
  if (!/\b(zstd|gzip)\b/.test(accepted) || !type.startsWith("application/json")) return response;
  // A file to download is sent as it is made, whatever its size.
  if (response.headers.has("content-encoding") || response.headers.has("content-disposition")) return response;
  const body = new Uint8Array(await response.arrayBuffer());
  const headers = new Headers(response.headers);
  if (body.byteLength < WORTHWHILE) return new Response(body, { status: response.status, headers });
  headers.set("vary", "accept-encoding");
  headers.delete("content-length");
  if (/\bzstd\b/.test(accepted)) {
    headers.set("content-encoding", "zstd");
    return new Response(new Uint8Array(await Bun.zstdCompress(body, { level: 1 })), {
      status: response.status,
      headers,
    });
  }
  headers.set("content-encoding", "gzip");
  const compressed = await gzipInThread(body, { level: constants.Z_BEST_SPEED });
  return new Response(new Uint8Array(compressed), { status: response.status, headers });
};
