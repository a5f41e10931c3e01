import { onTestFinished } from "bun:test";

/** A request as a target received it. */
export type Seen = { method: string; path: string; headers: Record<string, string>; body: string };

type Tls = { key: string; cert: string };
type Handler = (request: Request, seen: Seen) => Response | Promise<Response>;

/** A web server on loopback that records its requests. It stops after the test. */
export const serveTarget = (handle: Handler = () => new Response("fine"), tls?: Tls) => {
  const requests: Seen[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const seen = {
        method: request.method,
        path: pathname + search,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      requests.push(seen);
      return handle(request, seen);
    },
  });
  onTestFinished(() => server.stop(true));
  const origin = `${tls ? "https" : "http"}://127.0.0.1:${server.port}`;
  return { url: `${origin}/`, origin, port: server.port, requests };
};

/** A target whose answer can be changed while it runs. */
export const serveStatus = (status = 200) => {
  const answer = { status };
  const target = serveTarget(() => new Response(null, { status: answer.status }));
  return Object.assign(target, { answer });
};

/** A target that answers only after `release`, to keep a check in flight. */
export const serveHeld = (status = 200) => {
  let held = Promise.withResolvers<void>();
  const target = serveTarget(async () => {
    await held.promise;
    return new Response(null, { status });
  });
  const release = () => {
    held.resolve();
    held = Promise.withResolvers();
  };
  onTestFinished(release);
  return Object.assign(target, { release });
};

/** A target that redirects by path, and answers paths without a redirect. */
export const serveRedirects = (places: Record<string, string>, status = 302) =>
  serveTarget((_, { path }) => {
    const location = places[path];
    return location === undefined ? new Response("here") : new Response(null, { status, headers: { location } });
  });
