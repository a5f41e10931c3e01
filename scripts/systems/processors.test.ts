/** The executables on other processors, which qemu emulates for one program. */
import { afterAll, beforeAll, expect, it } from "bun:test";
import { join } from "node:path";
import { buildExecutable, type Hub, itWhere, probeTarget, startHubWithDownloads } from "./lib/hub";

let hub: Hub;
beforeAll(async () => {
  hub = await startHubWithDownloads();
});
afterAll(() => hub.stop());

/** Runs the agent under an emulator until it has reported, and stops it. */
const report = async (name: string, emulator: string[], program: string) => {
  const words = ["agent", "start", "--server", hub.origin, "--token", await hub.token(), "--interval", "2"];
  const child = Bun.spawn([...emulator, program, ...words, "--name", name, "--state", join(hub.folder, name)], {
    // An emulator can't start the program again by itself, so the settings of the start are given.
    env: { PATH: process.env.PATH ?? "", BUN_JSC_useJIT: "0", UV_THREADPOOL_SIZE: "16" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    const found = await hub.reported(name);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toContain("Stopped. Everything is sent.");
    return found;
  } finally {
    child.kill("SIGKILL");
  }
};

it("amd64 without AVX and AVX2 runs the agent", async () => {
  const found = await report("nehalem", ["qemu-x86_64", "-cpu", "Nehalem"], hub.executable);
  expect(found.memory_total).toBeGreaterThan(0);
});

const itForArm = await itWhere(() => probeTarget("bun-linux-arm64"));
itForArm("arm64 runs the agent", async () => {
  const program = join(hub.folder, "wakeful-linux-arm64");
  await buildExecutable(program, "--target", "bun-linux-arm64");
  const found = await report("arm64", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"], program);
  expect(found).toMatchObject({ agent_platform: expect.stringContaining("arm64") });
});
