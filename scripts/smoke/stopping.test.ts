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

const stopWithin = (running: HubProcess, timeout: number) =>
  Promise.race([running.stop(), Bun.sleep(timeout).then(() => "still running")]);

it("stops within seconds while a check hangs, and checks that monitor again after the next start", async () => {
  const settings = { DATA_DIR: join(installation.folder, "hanging") };
  const running = await startConsole(installation, settings);
  const bob = await joinAs(running, "bob");
  const monitor = { ...monitorOf(hanging.url.href), timeout: 60 };
  expect((await bob.post("/api/monitors", monitor)).status).toBe(201);
  await until("the check is under way", async () => waiting === 1);
  expect(await stopWithin(running, 8000)).toBe(0);

  const again = await startConsole(installation, settings);
  await until("it is checked again", async () => waiting === 2);
  expect(await stopWithin(again, 8000)).toBe(0);
});
