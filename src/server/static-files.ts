import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { Config } from "../core/config";
import { contentSecurityPolicy } from "./security-headers";

/** One file of the page, compressed when the executable was built. */
type Asset = { type: string; br: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".json": "application/json",
  ".woff2": "font/woff2",
};

const readAssets = (directory: string): Map<string, Asset> => {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(directory, { recursive: true }) as string[]) {
    // Documents are told about this installation first, and have their own ways out.
    if (!name.endsWith(".gz") || name.endsWith(".html.gz")) continue;
    const path = name.slice(0, -3);
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    const [br, gzip] = [`${path}.br`, name].map((file) => new Uint8Array(readFileSync(join(directory, file))));
    if (br && gzip) assets.set(path.replaceAll("\\", "/"), { type, br, gzip });
  }
  return assets;
};

/** A JSON text that can stand inside a script element. */
const embeddable = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");

/** The document, told where it is served from and what this installation set. */
const renderDocument = (template: string, config: Config): string =>
  template
    .replace(/<base href="[^"]*"\s*\/?>/, () => `<base href="${config.basePath}">`)
    .replace(
      /(<script[^>]*id="settings"[^>]*>)[\s\S]*?(<\/script>)/,
      (_, open, close) =>
        open +
        embeddable({
          links: config.links,
          registration: config.registration,
          publicUrl: config.publicUrl,
          apiTimeout: config.apiTimeout,
        }) +
        close,
    );

/** A document of the page as the build left it in `directory`, told where it is served from and what is set. */
export const readDocument = (directory: string, name: string, config: Config): string => {
  const file = join(directory, `${name}.gz`);
  if (!existsSync(file)) throw new Error("The page is missing: run `bun run build` first.");
  return renderDocument(gunzipSync(readFileSync(file)).toString(), config);
};

const negotiate = (asset: Asset, accepted: string): { body: Uint8Array<ArrayBuffer>; encoding?: string } => {
  if (/\bbr\b/.test(accepted)) return { body: asset.br, encoding: "br" };
  if (/\bgzip\b/.test(accepted)) return { body: asset.gzip, encoding: "gzip" };
  return { body: new Uint8Array(gunzipSync(asset.gzip)) };
};

/** Names with a dot are of files: no screen of the console has one. */
const isFileName = (path: string): boolean => /\.|%2e/i.test(path);

/**
 * Serves the page that lies in `directory`: files with hashed names for a year, and the document for every screen. Null
 * for a file that is not there.
 */
export const createStaticFiles = (directory: string, config: Config) => {
  const assets = readAssets(directory);
  const html = Buffer.from(readDocument(directory, "index.html", config));
  const index: Asset = {
    type: TYPES[".html"] as string,
    br: new Uint8Array(brotliCompressSync(html)),
    gzip: new Uint8Array(gzipSync(html)),
  };
  const etag = `"${Bun.hash(html).toString(36)}"`;

  return (request: Request, path: string): Response | null => {
    const accepted = request.headers.get("accept-encoding") ?? "";
    const name = path.slice(1);
    const asset = assets.get(name);
    if (!asset && isFileName(path)) return null;
    const headers: Record<string, string> = { vary: "accept-encoding" };
    if (asset) {
      headers["x-content-type-options"] = "nosniff";
      // Names carry a hash of what is inside, so that they can be kept for good.
      headers["cache-control"] = /-[\da-z]{8}\./.test(name)
        ? "public, max-age=31536000, immutable"
        : "public, max-age=3600";
    } else {
      headers["cache-control"] = "no-cache";
      headers["content-security-policy"] = contentSecurityPolicy();
      headers.etag = etag;
      if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
    }
    const { body, encoding } = negotiate(asset ?? index, accepted);
    headers["content-type"] = (asset ?? index).type;
    if (encoding) headers["content-encoding"] = encoding;
    return new Response(request.method === "HEAD" ? null : body, { headers });
  };
};
