import type { Call } from "./client";

/** A message received by the fake Gotify server, and the number of the hub's restart. */
export type Received = {
  at: number;
  life: number;
  channel: string;
  text: string;
  answeredAt: number | null;
  status: number;
};

type Options = {
  /** Milliseconds until it answers. */
  delay?: number;
  /** One in this many requests is answered with 429 and Retry-After `pause`. */
  pauseEvery?: number;
  pause?: number;
};

/** Serves requests on a free port of this machine. */
export const serve = (fetch: (request: Request) => Response | Promise<Response>) => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  return { origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
};

/** A fake Gotify server that records requests and accepts them unless it rate limits. The hub has no budget for this kind. */
export const startProvider = ({ delay = 0, pauseEvery = 0, pause = 2 }: Options = {}) => {
  const received: Received[] = [];
  const state = { life: 0 };
  const server = serve(async (request) => {
    const { title, message } = (await request.json()) as { title: string; message: string };
    const entry: Received = {
      at: Date.now(),
      life: state.life,
      channel: request.headers.get("x-gotify-key") ?? "",
      text: `${title}\n${message}`,
      answeredAt: null,
      status: 200,
    };
    received.push(entry);
    if (pauseEvery > 0 && received.length % pauseEvery === 0) entry.status = 429;
    await Bun.sleep(delay);
    entry.answeredAt = Date.now();
    return entry.status === 200
      ? Response.json({ id: received.length })
      : Response.json(
          { error: "Too Many Requests", errorCode: 429, errorDescription: "slow down" },
          { status: 429, headers: { "retry-after": String(pause) } },
        );
  });
  return { ...server, received, state };
};

/** Targets whose answers can be changed at run time, by number. */
export const startFlipping = () => {
  const down = new Set<string>();
  const isDown = (url: string) => down.has("all") || down.has(new URL(url).pathname);
  return { ...serve(({ url }) => new Response(null, { status: isDown(url) ? 503 : 200 })), down };
};

/** Targets of monitors by their path, `/ID`. Every nth is down and up in turn, for `period` milliseconds each. */
export const startAlternating = (every: number, period: number) => {
  let requests = 0;
  const server = serve(({ url }) => {
    requests++;
    const id = Number(new URL(url).pathname.slice(1));
    const isDown = id % every === 0 && Math.floor(Date.now() / period + id * 0.005) % 2 === 1;
    return new Response(null, { status: isDown ? 503 : 200 });
  });
  return { ...server, requests: () => requests };
};

/** Sends all monitor alerts to the fake provider, through as many channels. */
export const enableAlerts = async (call: Call, server: string, count = 1): Promise<void> => {
  const channels: number[] = [];
  for (let number = 1; number <= count; number++) {
    const { data } = await call<{ data: { id: number } }>("POST", "/notifications/channels", {
      name: `push ${number}`,
      type: "gotify",
      config: { server, token: `A${number}` },
    });
    channels.push(data.id);
  }
  await call("POST", "/notifications/settings", { target_type: "global-monitor", enabled: true, channels });
};
