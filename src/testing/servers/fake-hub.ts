import { onTestFinished } from "bun:test";
import type { Registration, Report } from "../../shared/agents/report";

type Seen = { path: string; key: string; body: Registration & Report };
type Answer = (seen: Seen) => Response | Promise<Response>;

export const KEY = "wka_key";
export const refusal = (status: number, code: string, message = "No.", headers?: Record<string, string>) =>
  Response.json({ success: false, code, message }, { status, headers });

const asHub: Answer = ({ path, key, body }) => {
  if (path === "/api/agents/register")
    return Response.json({ success: true, agent: { id: 7 }, key: KEY }, { status: 201 });
  if (path !== "/api/agents/report" || key !== KEY) return refusal(401, "unauthorized");
  return Response.json({ success: true, accepted: body.samples.length });
};

/** A web server that answers as a hub does until `answer` is called, over TLS with a certificate. It stops after the test. */
export const startFakeHub = (port = 0, tls?: { key: string; cert: string }) => {
  const seen: Seen[] = [];
  const state: { answer: Answer } = { answer: asHub };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    tls,
    idleTimeout: 60,
    fetch: async (request) => {
      const one = {
        path: new URL(request.url).pathname,
        key: request.headers.get("authorization")?.replace("Bearer ", "") ?? "",
        body: (await request.json()) as Seen["body"],
      };
      seen.push(one);
      return state.answer(one);
    },
  });
  onTestFinished(() => server.stop(true));
  return {
    url: tls ? `https://localhost:${server.port}/` : `http://127.0.0.1:${server.port}/`,
    port: Number(server.port),
    seen,
    reports: () => seen.filter(({ path }) => path.endsWith("/report")).map(({ body }) => body),
    /** The times of all samples that it has received, in order. */
    times: () => seen.flatMap(({ body }) => body.samples ?? []).map(({ at }) => at),
    answer: (answer: Answer = asHub) => {
      state.answer = answer;
    },
    stop: () => server.stop(true),
  };
};
