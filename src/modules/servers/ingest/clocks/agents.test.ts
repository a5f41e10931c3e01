import { expect, it } from "bun:test";
import { join } from "node:path";
import { temporaryFolder } from "../../../../testing/agent-program";
import { START } from "../../../../testing/clock";
import { storedSamples } from "../../../../testing/fixtures/agents";
import { startLightAgent } from "../../../../testing/light-agent";
import { startTestServer } from "../../../../testing/servers/hub";

const MAIN = join(import.meta.dir, "../../../../main.ts");

/** A hub whose clock stands still at START, far from this machine's clock, and the stored state of one agent. */
const reportTo = async (start: (words: string[]) => { stop: () => unknown }) => {
  const hub = await startTestServer();
  const { bob } = await hub.people();
  const { token } = (await hub.as(bob).post("/api/agents/token/generate")).body;
  const server = `http://127.0.0.1:${hub.port}`;
  const agent = start(["start", "--server", server, "--token", token, "--interval", "1", "--state", temporaryFolder()]);
  const list = async () => (await hub.as(bob).get("/api/agents")).body.agents;
  let boot: string | null | undefined;
  for (; !boot; await Bun.sleep(50)) boot = (await list())[0]?.boot_time;
  await agent.stop();
  const [{ id } = { id: 0 }] = await list();
  return { samples: await storedSamples(hub, id), detail: (await hub.as(bob).get(`/api/agents/${id}`)).body.agent };
};

const expectHubTimes = async ({ samples, detail }: Awaited<ReturnType<typeof reportTo>>) => {
  expect(samples.length).toBeGreaterThan(0);
  for (const { at } of samples) expect(Math.abs(at - START)).toBeLessThan(60_000);
  expect(Math.abs((detail.clock_offset ?? 0) - (Date.now() - START) / 1000)).toBeLessThan(60);
  expect(Date.parse(detail.boot_time as string)).toBeLessThan(START);
};

it("the executable and the light agent of a machine with another clock have their samples stored at the hub's time", async () => {
  const light = reportTo((words) => startLightAgent(words));
  const executable = reportTo((words) => {
    const child = Bun.spawn([process.execPath, MAIN, "agent", ...words], { stdout: "ignore", stderr: "inherit" });
    return {
      stop: () => {
        child.kill();
        return child.exited;
      },
    };
  });
  await expectHubTimes(await light);
  await expectHubTimes(await executable);
});
