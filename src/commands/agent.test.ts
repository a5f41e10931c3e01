import { expect, it, onTestFinished } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FIGURE_NAMES } from "../agent/figures/registry";
import { countWaiting } from "../agent/send/sample-queue";
import { writeEnrollment, writeWhole } from "../agent/state";
import { temporaryFolder } from "../testing/agent-program";
import { refusal, startFakeHub } from "../testing/servers/fake-hub";
import { help, statusOf } from "./agent";

const MAIN = join(import.meta.dir, "../main.ts");
const TOKEN = "wkt_of-this-test";

/** Starts the program as a process of its own, with only what is said here in its environment. */
const startProgram = (words: string[], environment: Record<string, string> = {}, stdin?: Bun.BunFile) => {
  const child = Bun.spawn([process.execPath, MAIN, "agent", ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent", ...environment },
    stdout: "pipe",
    stderr: "pipe",
    ...(stdin && { stdin }),
  });
  onTestFinished(() => child.kill("SIGKILL"));
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const ended = async () => {
    const [code, [out, err]] = await Promise.all([child.exited, texts]);
    return { code, out, err };
  };
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended();
  };
  return { child, ended, stop };
};

const until = async (what: string, met: () => boolean, timeout = 30_000) => {
  for (const deadline = Date.now() + timeout; !met(); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
};

const REQUEST_TIMEOUT_MS = 60_000;

it(
  "enrolls once, reports, stops when asked, and starts again without the token",
  async () => {
    const console = startFakeHub();
    const state = join(temporaryFolder(), "state");
    const first = startProgram(["start", "--state", state, "--interval", "1", "--name", "web"], {
      WAKEFUL_SERVER: console.url,
      WAKEFUL_TOKEN: TOKEN,
    });
    await until("it reports a figure", () => console.reports().some(({ samples }) => samples[0]?.cpu !== null));
    const { code, out, err } = await first.stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toContain(TOKEN);
    expect(out).toContain("Stopped. Everything is sent.");
    expect(console.seen[0]?.body).toMatchObject({ token: TOKEN, name: "web" });
    const [report] = console.reports();
    expect(report).toMatchObject({ interval: 1, samples: [{ cpu: null, network: null }] });
    expect(report?.samples[0]?.memory.used).toBeGreaterThan(0);
    expect(report?.samples[0]?.disks?.length).toBeGreaterThan(0);
    expect(statSync(join(state, "agent.json")).mode & 0o777).toBe(0o600);

    const before = console.reports().length;
    const second = startProgram(["start", "--state", state, "--interval", "1"]);
    await until("it reports again", () => console.reports().length > before);
    expect((await second.stop("SIGINT")).code).toBe(0);
    expect(console.seen.filter(({ path }) => path.endsWith("/register"))).toHaveLength(1);
  },
  REQUEST_TIMEOUT_MS,
);

it(
  "sends what it measured while the hub was down, also after a restart and a crash",
  async () => {
    const console = startFakeHub();
    const state = temporaryFolder();
    const words = ["start", "--state", state, "--server", console.url, "--interval", "1"];
    const agent = startProgram([...words, "--token", TOKEN]);
    await until("it reports", () => console.reports().length > 0);
    console.answer(() => refusal(500, "internal", "Something went wrong."));
    await until("samples wait on disk", () => countWaiting(state) >= 3);
    const status = await startProgram(["status", "--state", state]).ended();
    expect(status.code).toBe(1);
    expect(status.out).toContain("cannot report");
    // A crash, then a stop, each in the midst of the outage.
    agent.child.kill("SIGKILL");
    await agent.child.exited;
    console.stop();
    const kept = countWaiting(state);
    const again = startProgram(words);
    await until("more samples wait", () => countWaiting(state) > kept);
    expect(await again.stop()).toMatchObject({ code: 0, out: expect.stringMatching(/Stopped\. \d+ samples kept/) });
    const waiting = countWaiting(state);
    expect(waiting).toBeGreaterThan(kept);

    const back = startFakeHub(console.port);
    const last = startProgram(words);
    await until("all is sent", () => !existsSync(join(state, "samples")));
    expect((await last.stop()).code).toBe(0);
    expect(back.times().length).toBeGreaterThanOrEqual(waiting);
    expect(back.times()).toEqual(back.times().toSorted());
    expect(new Set(back.times()).size).toBe(back.times().length);
  },
  REQUEST_TIMEOUT_MS,
);

it(
  "ends when its first token is refused or its server was deleted, and enrolls again with a new token",
  async () => {
    const console = startFakeHub();
    const state = temporaryFolder();
    const words = ["start", "--state", state, "--server", console.url, "--interval", "1"];
    console.answer(() => refusal(401, "token_used"));
    const refused = await startProgram([...words, "--token", TOKEN]).ended();
    expect(refused.code).toBe(78);
    expect(refused.err).toContain("was used already");
    const status = await startProgram(["status", "--state", state]).ended();
    expect(status.out).toContain("was used already");
    console.answer();
    const agent = startProgram([...words, "--token", TOKEN]);
    await until("it reports", () => console.reports().length > 0);
    console.answer(() => refusal(401, "agent_deleted"));
    const { code, err } = await agent.ended();
    expect(code).toBe(78);
    expect(err).toMatch(/^wakeful agent: This server was deleted at .*\n$/);
    expect(existsSync(join(state, "agent.json"))).toBe(true);

    console.answer();
    const again = startProgram([...words, "--token=wkt_another"]);
    await until("it enrolls again", () => console.seen.some(({ body }) => body.token === "wkt_another"));
    await again.stop();
    expect(readFileSync(join(state, "agent.json"), "utf8")).not.toContain("wkt_another");
    const ids = console.seen.filter(({ path }) => path.endsWith("/register")).map(({ body }) => body.machine_id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 1]);
  },
  REQUEST_TIMEOUT_MS,
);

it(
  "keeps its earlier enrollment when a new token is refused, and reads a token from standard input",
  async () => {
    const console = startFakeHub();
    const state = temporaryFolder();
    const words = ["start", "--state", state, "--server", console.url, "--interval", "1"];
    const file = join(temporaryFolder(), "token");
    writeFileSync(file, `${TOKEN}\n`);
    const first = startProgram([...words, "--token-file", "-"], {}, Bun.file(file));
    await until("it reports", () => console.reports().length > 0);
    await first.stop();
    expect(console.seen[0]?.body.token).toBe(TOKEN);
    console.answer(({ path, body }) =>
      path.endsWith("/register")
        ? refusal(401, "token_invalid")
        : Response.json({ success: true, accepted: body.samples.length }),
    );
    const before = console.reports().length;
    const second = startProgram([...words, "--token", "wkt_wrong"]);
    await until("it reports", () => console.reports().length > before);
    await until("its status is healthy", () =>
      readFileSync(join(state, "status.json"), "utf8").includes('"healthy":true'),
    );
    const status = await startProgram(["status", "--state", state]).ended();
    expect(status).toMatchObject({ code: 0, out: expect.stringContaining("token    refused: ") });
    const { code, out } = await second.stop();
    expect(code).toBe(0);
    expect(out).toContain(
      `knows no such token. Copy it again from the page that adds a server. The earlier enrollment`,
    );
  },
  REQUEST_TIMEOUT_MS,
);

it("stops promptly while the hub does not answer", async () => {
  const console = startFakeHub();
  const state = temporaryFolder();
  const agent = startProgram(["start", "--state", state, "--server", console.url, "--token", TOKEN, "--interval", "1"]);
  await until("it reports", () => console.reports().length > 0);
  console.answer(() => new Promise(() => {}));
  const before = console.reports().length;
  await until("a report hangs", () => console.reports().length > before);
  const { code, out } = await agent.stop();
  expect(code).toBe(0);
  expect(out).toContain("kept for the next start");
  expect(countWaiting(state)).toBeGreaterThan(0);
});

it("reports figures, programs and containers of this machine", async () => {
  const console = startFakeHub();
  const socket = join(temporaryFolder(), "docker.sock");
  const entry = {
    Id: "a".repeat(64),
    Names: ["/web"],
    Image: "nginx",
    State: "exited",
    Status: "Exited (3) 1 hour ago",
  };
  const engine = Bun.serve({ unix: socket, fetch: () => Response.json([entry]) });
  onTestFinished(() => engine.stop(true));
  const words = ["--server", console.url, "--token", TOKEN, "--interval", "6", "--without", "temperatures"];
  const agent = startProgram(["start", "--state", temporaryFolder(), `--containers=${socket}`, ...words]);
  await until("it reports rates", () =>
    console.reports().some(({ samples }) => samples.some(({ cpu }) => cpu !== null)),
  );
  await agent.stop();
  const report = console.reports().find(({ samples }) => samples.some(({ cpu }) => cpu !== null));
  expect(report?.containers).toEqual([{ name: "web", image: "nginx", state: "exited", exit_status: 3 }]);
  expect(report?.agent_kind).toBe("executable");
  expect(report?.processors).toBeGreaterThan(0);
  const sample = report?.samples.at(-1);
  expect(sample).not.toHaveProperty("temperatures");
  if (process.platform === "linux") {
    expect(sample?.cpu_parts?.user).toBeGreaterThanOrEqual(0);
    expect(sample?.traffic?.boot).toMatch(/^[0-9a-f]{8}$/);
    // A small machine may run fewer than five programs.
    expect(report?.processes?.memory.length).toBeWithin(1, 6);
  }
});

it("explains every figure that can be left out, and how containers are reported", () => {
  const words = help.split(/[\s,;]+/);
  expect(FIGURE_NAMES.filter((name) => !words.includes(name))).toEqual([]);
  expect(help).toContain("--containers[=SOCKET]");
});

it("exits with the wrong option's name without starting", async () => {
  for (const [words, message] of [
    [["start", "--interval", "0"], "--interval"],
    [["start", "--state", temporaryFolder()], "--server"],
    [["start", "--state", temporaryFolder(), "--server", "http://127.0.0.1:9"], "--token"],
    [["dance"], "usage: wakeful agent"],
  ] as const) {
    const { code, err } = await startProgram([...words]).ended();
    expect(code).toBe(78);
    expect(err).toContain(message);
  }
});

it("imports no module of the hub and no package", () => {
  const { scanned, outside } = graphOf(join(import.meta.dir, "agent.ts"));
  expect(outside).toEqual([]);
  expect(
    [...scanned].filter(
      (path) =>
        !/\/src\/(agent|shared|lib|probe|update\/(?!hub)|commands\/agent\.ts|build-info\.ts)|package\.json$/.test(path),
    ),
  ).toEqual([]);
  expect(scanned.size).toBeGreaterThan(15);
});

/** Every file that one imports, at once or later, and what is neither a file nor built in. */
const graphOf = (entry: string) => {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const [scanned, outside] = [new Set<string>(), [] as string[]];
  const scan = (path: string) => {
    if (scanned.has(path)) return;
    scanned.add(path);
    if (!path.endsWith(".ts")) return;
    for (const { path: name } of transpiler.scanImports(readFileSync(path, "utf8"))) {
      if (name.startsWith(".")) scan(Bun.resolveSync(name, join(path, "..")));
      else if (!name.startsWith("node:")) outside.push(name);
    }
  };
  scan(entry);
  return { scanned, outside };
};

it("suggests root to a user who may not read an installed agent's files", () => {
  const [folder, installed] = [temporaryFolder(), temporaryFolder()];
  expect(statusOf(folder, () => true, installed).lines.join()).toContain("only root can read how it stands");
  expect(statusOf(folder, () => true, join(installed, "not there")).lines.join()).toContain("not enrolled");
  expect(statusOf(folder, () => true, folder).lines.join()).toContain("not enrolled");
});

it("shows the state of an agent", () => {
  const folder = temporaryFolder();
  expect(statusOf(folder, () => true, folder)).toEqual({
    healthy: false,
    lines: [`not enrolled: there is no key in ${folder}`],
  });
  writeEnrollment(folder, { server: "http://a.example/", agent: 7, key: "wka_key", token: "hash" });
  expect(statusOf(folder).lines).toContain("state    has not reported yet");
  const reportState = (healthy: boolean, text: string) =>
    writeWhole(
      join(folder, "status.json"),
      JSON.stringify({ process: 1, since: "2026-01-15T12:20:00.000Z", healthy, text }),
    );
  reportState(true, "reports to http://a.example/");
  expect(statusOf(folder, () => true)).toMatchObject({ healthy: true });
  expect(statusOf(folder, () => false)).toMatchObject({ healthy: false });
  expect(statusOf(folder, () => false).lines).toContain("state    not running");
  reportState(false, "cannot report to http://a.example/: it answers 500");
  expect(statusOf(folder, () => true).lines.join()).toContain("it answers 500 since 2026-01-15");
  expect(statusOf(folder, () => true).lines.join()).not.toContain("wka_key");
});
