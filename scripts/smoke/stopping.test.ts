import { afterAll, expect, it } from "bun:test";
import { join } from "node:path";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
let waiting = 0;
const hanging = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  fetch: () => {
    waiting++;
    return new Promise<Response>(() => {});
  },
});

afterAll(async () => {
  await hanging.stop(true);
  installation.remove();
});

/** Time limit for stopping (ms), which takes a few seconds even on a busy machine; beyond it a check or a stream has prevented it. */
const TIMEOUT = 25_000;
const stop = (running: HubProcess) => Promise.race([running.stop(), Bun.sleep(TIMEOUT).then(() => "still running")]);

it("stops within seconds while a check hangs, and checks that monitor again after the next start", async () => {
  const settings = { DATA_DIR: join(installation.folder, "hanging") };
  const running = await startConsole(installation, settings);
  const bob = await joinAs(running, "bob");
  const monitor = { ...monitorOf(hanging.url.href), timeout: 60 };
  expect((await bob.post("/api/monitors", monitor)).status).toBe(201);
  await until("the check is under way", async () => waiting === 1);
  expect(await stop(running)).toBe(0);

  const again = await startConsole(installation, settings);
  await until("it is checked again", async () => waiting === 2);
  expect(await stop(again)).toBe(0);
});

it("stops at once while a page follows changes live, and ends its stream", async () => {
  const running = await startConsole(installation, { DATA_DIR: join(installation.folder, "followed") });
  const bob = await joinAs(running, "bob");
  const { body } = await bob.post("/api/keys", { name: "live", scope: "read" });
  const response = await fetch(`${running.origin}/api/live`, { headers: { authorization: `Bearer ${body.key}` } });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toInclude("event: ready");
  const rest = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read());
    return "ended";
  })();
  expect(await stop(running)).toBe(0);
  expect(await rest).toBe("ended");
});
