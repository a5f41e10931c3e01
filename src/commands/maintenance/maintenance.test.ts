import { expect, it, onTestFinished } from "bun:test";
import { join } from "node:path";
import { createTestApp } from "../../testing/app";
import { addMonitor } from "../../testing/fixtures/monitors";

const MAIN = join(import.meta.dir, "../../main.ts");

const start = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const monitor = await addMonitor(app, bob, { url: "http://127.0.0.1:9/" });
  const client = app.as(bob);
  const { key } = (await client.post("/api/keys", { name: "CI", scopes: ["write"] })).body as unknown as {
    key: string;
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => app.send(request) });
  onTestFinished(() => server.stop(true));
  const run = async (...words: string[]) => {
    const env = { ...process.env, WAKEFUL_SERVER: `http://127.0.0.1:${server.port}/`, WAKEFUL_API_KEY: key };
    const command = Bun.spawn([process.execPath, MAIN, "maintenance", ...words], {
      env,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out = "", error = ""] = await Promise.all(
      [command.stdout, command.stderr].map((stream) => new Response(stream).text()),
    );
    return { status: await command.exited, out, error };
  };
  const windows = async () => (await client.get("/api/windows")).body;
  return { app, monitor, run, windows };
};

it("wakeful maintenance start runs a command in a window, ends it, and exits with its status", async () => {
  const { run, monitor, windows } = await start();
  const options = ["--minutes", "20", "--monitor", `${monitor}`, "--tag", "shop", "--title", "Deploy"];
  const done = await run("start", ...options, "--", "sh", "-c", "echo deployed; exit 3");
  expect(done).toEqual({ status: 3, out: "deployed\n", error: "" });
  expect((await windows()).windows).toEqual([]);
  expect((await windows()).past).toMatchObject([
    { title: "Deploy", monitors: [monitor], tags: ["shop"], current: null },
  ]);
});

it("wakeful maintenance start prints the id without a command, and end ends it", async () => {
  const { run, windows } = await start();
  const { out, status } = await run("start", "--minutes", "20", "--all");
  expect(status).toBe(0);
  expect((await windows()).windows).toMatchObject([{ id: Number(out), all: true }]);
  expect((await run("end", out.trim())).out).toBe("The maintenance has ended.\n");
  expect((await run("end", out.trim())).out).toBe("It was not running.\n");
});

it("wakeful maintenance does not run the command when the window can't be started, and says why", async () => {
  const { run, windows } = await start();
  for (const [reason, ...words] of [
    ["expected monitors, agents or tags", "start", "--minutes", "20", "--", "echo", "run"],
    ["there is no monitor 99", "start", "--minutes", "20", "--monitor", "99", "--", "echo", "run"],
    ["--minutes has to be a number", "start", "--all", "--", "echo", "run"],
    ["can't be reached", "start", "--minutes", "2", "--all", "--server", "http://127.0.0.1:9", "--", "echo", "run"],
    ["say start, or end", "stop"],
    ["ID has to be a number", "end"],
  ] as const) {
    const { status, out, error } = await run(...words);
    expect([words, status, out]).toEqual([words, 1, ""]);
    expect(error).toContain(reason);
  }
  expect((await windows()).windows).toEqual([]);
});
