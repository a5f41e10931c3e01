import { onTestFinished } from "bun:test";
import { createPages, type Pages } from "../../modules/status-page/access/pages";
import { hasWallKey } from "../../modules/wall/keys";
import { listen } from "../../server/listen";
import { createSubscriptionPage } from "../../server/pages/subscription-page";
import { createTestApp } from "../app";
import { call } from "../client";
import { makePageDirectory } from "../page";

/** The whole hub on its own port. It stops after the test. */
export const startTestServer = async (env: Record<string, string> = {}, pages: Partial<Pages> = {}) => {
  const app = await createTestApp({ env: { HOST: "127.0.0.1", PORT: "0", ...env } });
  const { config } = app.deps;
  const directory = makePageDirectory();
  const server = await listen({
    config,
    clock: app.deps.clock,
    log: app.deps.log,
    app: app.app,
    directory,
    pages: { ...createPages(app.deps), ...pages },
    subscription: createSubscriptionPage(directory, app.deps),
    isWall: (key) => hasWallKey(app.deps, key),
  });
  onTestFinished(() => server.stop(true));
  const { port } = server;
  const send = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, new Request(request, { redirect: "manual" }));
  };
  return { ...app, port: Number(port), call: (path: string, init?: RequestInit) => call(send, path, init) };
};
