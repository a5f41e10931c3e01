import type { createApp } from "./app";
import type { Config } from "./config";
import { AppError, refusal } from "./errors";
import { type createPage, SECURITY_HEADERS } from "./page";

export const MAX_BODY = 1024 * 1024;

const json = (error: AppError) => Response.json(refusal(error), { status: error.status });
const tooLarge = () => json(new AppError(413, "too_large", "The body is larger than 1 MiB."));
const isApi = (path: string) => path === "/api" || path.startsWith("/api/") || path === "/health";

/** The path inside the console: a proxy in front may have left its own sub-path on, or taken it off. */
const innerPath = (pathname: string, basePath: string): string =>
  basePath !== "/" && `${pathname}/`.startsWith(basePath) ? `/${pathname.slice(basePath.length)}` : pathname;

type Parts = { config: Config; app: ReturnType<typeof createApp>; page: ReturnType<typeof createPage> };

/** Listens: /api and /health go to the app, everything else is the page. */
export const listen = ({ config, app, page }: Parts) => {
  const route = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const path = innerPath(url.pathname, config.basePath);
    if (!isApi(path)) {
      if (request.method === "GET" || request.method === "HEAD") return page(request, path);
      return json(new AppError(404, "not_found", "There is nothing at this address."));
    }
    if (Number(request.headers.get("content-length")) > MAX_BODY) return tooLarge();
    if (path === url.pathname) return app.fetch(request);
    url.pathname = path;
    return app.fetch(new Request(url, request));
  };

  const server = Bun.serve({
    hostname: config.host,
    port: config.port,
    // One byte more than is allowed, so that the refusal above is ours to word.
    maxRequestBodySize: MAX_BODY + 1,
    idleTimeout: 30,
    fetch: async (request) => {
      const response = await route(request);
      for (const name in SECURITY_HEADERS) response.headers.set(name, SECURITY_HEADERS[name] as string);
      if (!response.headers.has("cache-control")) response.headers.set("cache-control", "no-store");
      return response;
    },
    error: () => json(new AppError(500, "internal", "Something went wrong here.")),
  });
  // What Elysia's own listen would do: handlers ask it for the peer's address.
  app.server = server as unknown as typeof app.server;
  return server;
};
