import { join } from "node:path";
import { staticPlugin } from "@elysiajs/static";
import { Elysia } from "elysia";
import { acceptedCoding } from "./http-encoding";

/** The folders of the built page: in each lies every script, style and picture in one content coding. */
const CODINGS = ["br", "gzip"] as const;

/** The build puts a hash of the content into names, except that of theme.js. */
const HASHED_NAME = /-[\da-z]{8}\./;

const decompress = (response: Response): Response => {
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  headers.delete("content-length");
  return new Response(response.body?.pipeThrough(new DecompressionStream("gzip")) ?? null, { headers });
};

/**
 * Serves the scripts, styles and pictures of the built page in `directory`, in a content coding that the client accepts.
 * The result gives null for a path without a file.
 */
export const createStaticFiles = async (directory: string) => {
  const app = new Elysia({ handler: { standardHostname: false } });
  for (const coding of CODINGS)
    app.use(
      staticPlugin({
        assets: join(directory, coding),
        prefix: `/${coding}`,
        alwaysStatic: true,
        indexHTML: false,
        // Files with hashed names never change, and the plugin's ETag has no quotes.
        etag: false,
        headers: { "content-encoding": coding, vary: "accept-encoding", "x-content-type-options": "nosniff" },
      }),
    );
  await app.modules;

  return async (request: Request, path: string): Promise<Response | null> => {
    const coding = acceptedCoding(request, CODINGS);
    const url = new URL(`/${coding ?? "gzip"}${path}`, "http://localhost");
    const found = await app.fetch(new Request(url, { method: request.method }));
    if (!found.ok) return null;
    const response = coding ? found : decompress(found);
    response.headers.set(
      "cache-control",
      HASHED_NAME.test(path) ? "public, max-age=31536000, immutable" : "public, max-age=3600",
    );
    return response;
  };
};
