import { describe, expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../testing/clock";
import { createTail, readRun } from "./run";

const MAIN = join(import.meta.dir, "../main.ts");
const TOKEN = "0f6b1c6e5a8d4d0e9a3c2b1f7e6d5c4b";

type Ping = { path: string; method: string; body: string; rid: string | null };

/** A hub that receives pings, and answers the first ones with these statuses. */
const startHub = (...statuses: number[]) => {
  const pings: Ping[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      pings.push({ path: pathname, method: request.method, body: await request.text(), rid: searchParams.get("rid") });
      return new Response("OK", { status: statuses.shift() ?? 200 });
    },
  });
  onTestFinished(() => server.stop(true));
  return { pings, url: server.url.href, ends: () => pings.filter(({ path }) => !path.endsWith("/start")) };
};

/** Starts `wakeful run` as a process of its own. */
const startRun = (words: string[], { stdin = "", server = "" } = {}) => {
  const child = Bun.spawn([process.execPath, MAIN, "run", ...words], {
    env: { PATH: process.env.PATH ?? "", ...(server && { WAKEFUL_SERVER: server }) },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  onTestFinished(() => child.kill("SIGKILL"));
  const decoder = new TextDecoder();
  let out = "";
  const reading = (async () => {
    for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true });
  })();
  const ended = async () => {
    const [code, err] = await Promise.all([child.exited, new Response(child.stderr).text(), reading]);
    return { code, out, err };
  };
  return { child, printed: () => out, ended };
};

const shell = (script: string) => [TOKEN, "--", "sh", "-c", script];

describe("wakeful run", () => {
  it("reports the start and the end of one run, with what the command printed", async () => {
    const hub = startHub();
    const result = await startRun(shell("echo done; echo careful >&2; exit 3"), { server: hub.url }).ended();
    expect(result).toEqual({ code: 3, out: "done\n", err: "careful\n" });
    expect(hub.pings.map(({ path, method }) => `${method} ${path}`)).toEqual([
      `POST /ping/${TOKEN}/start`,
      `POST /ping/${TOKEN}/3`,
    ]);
    expect(hub.pings[1]?.body.split("\n").sort()).toEqual(["", "careful", "done"]);
    expect(hub.pings[0]?.rid).toMatch(/^[0-9a-f-]{36}$/);
    expect(hub.pings[1]?.rid).toBe(hub.pings[0]?.rid ?? "");
  });

  it("passes standard input on, and leaves the output on the machine if asked", async () => {
    const hub = startHub();
    const words = [`${hub.url}ping/${TOKEN}`, "--no-output", "--", "cat"];
    expect(await startRun(words, { stdin: "a line" }).ended()).toMatchObject({ code: 0, out: "a line" });
    expect(hub.ends()).toMatchObject([{ path: `/ping/${TOKEN}/0`, body: "" }]);
  });

  it("leaves words after -- to the command", async () => {
    const hub = startHub();
    const result = await startRun([TOKEN, "--server", hub.url, "--", "echo", "--help", "-h", "--"]).ended();
    expect(result).toMatchObject({ code: 0, out: "--help -h --\n" });
  });

  it("passes signals on, and exits as the command does", async () => {
    const hub = startHub();
    const loop = "trap 'echo caught; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    const { child, printed, ended } = startRun(shell(loop), { server: hub.url });
    await until(() => printed() !== "", "the command runs");
    child.kill("SIGTERM");
    expect(await ended()).toMatchObject({ code: 7, out: "ready\ncaught\n" });
    expect(hub.ends()).toMatchObject([{ path: `/ping/${TOKEN}/7` }]);
  });

  it("exits with 128 and the number of the signal that ended the command", async () => {
    const hub = startHub();
    expect((await startRun(shell("kill -KILL $$"), { server: hub.url }).ended()).code).toBe(137);
    expect(hub.ends()).toMatchObject([{ path: `/ping/${TOKEN}/137` }]);
  });

  it("reports a command that does not exist", async () => {
    const hub = startHub();
    const { code, err } = await startRun([TOKEN, "--", "/no/such-command"], { server: hub.url }).ended();
    expect([code, err]).toEqual([127, "wakeful: /no/such-command was not found\n"]);
    expect(hub.ends()).toMatchObject([{ path: `/ping/${TOKEN}/127`, body: err }]);
  });

  it("keeps the exit status when the hub does not know the token, and asks it once", async () => {
    const unknown = startHub(404, 404);
    const result = await startRun(shell("exit 5"), { server: unknown.url }).ended();
    expect(result).toMatchObject({
      code: 5,
      err: "wakeful: the run was not reported: the hub does not know the token\n",
    });
    expect(unknown.ends()).toHaveLength(1);
  });

  it("repeats the report of the end when the hub fails", async () => {
    const hub = startHub(200, 503);
    expect(await startRun(shell("exit 0"), { server: hub.url }).ended()).toMatchObject({ code: 0, err: "" });
    expect(hub.ends()).toHaveLength(2);
  });

  it("takes the token from the first line of standard input, and leaves the others to the command", async () => {
    const hub = startHub();
    const words = ["--token-file", "-", "--server", hub.url, "--", "cat"];
    const { code, out } = await startRun(words, { stdin: `${TOKEN}\nfirst\nsecond\n` }).ended();
    expect([code, out]).toEqual([0, "first\nsecond\n"]);
    expect(hub.ends()).toMatchObject([{ path: `/ping/${TOKEN}/0` }]);
  });

  it("refuses wrong words before anything is run", async () => {
    const { code, err } = await startRun([TOKEN, "echo", "started"]).ended();
    expect([code, err]).toEqual([
      1,
      "wakeful: the command to run stands after -- (wakeful run --help shows how to use it)\n",
    ]);
  });
});

describe("the words of a run", () => {
  const read = (words: string, server?: string) => readRun(words.split(" "), { WAKEFUL_SERVER: server });

  it("name the ping address by a token and a hub, or as a whole", () => {
    const address = `https://hub.example/base/ping/${TOKEN}`;
    expect(read(`${TOKEN} --server https://hub.example/base/ -- true`).ping).toBe(address);
    expect(read(`--server=https://hub.example/base ${TOKEN} -- true`).ping).toBe(address);
    expect(read(`${TOKEN} -- true`, "https://hub.example/base").ping).toBe(address);
    expect(read(`${address}/ -- true`).ping).toBe(address);
  });

  it("name a file with the token, or leave it to the environment", () => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-run-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "token");
    writeFileSync(file, ` ${TOKEN}\r\nmore\n`);
    const address = `https://hub.example/ping/${TOKEN}`;
    for (const words of [`--token-file ${file}`, `--token-file=${file}`])
      expect(read(`${words} -- true`, "https://hub.example").ping).toBe(address);
    const environment = { WAKEFUL_SERVER: "https://hub.example", WAKEFUL_PING_TOKEN: TOKEN };
    expect(readRun(["--", "true"], environment).ping).toBe(address);
    expect(() => read(`--token-file ${folder}/none -- true`)).toThrow(/cannot read .*none \(ENOENT\)/);
    expect(() => read(`${TOKEN} --token-file ${file} -- true`)).toThrow(/exclude each other/);
    expect(() => read("--token-file= -- true")).toThrow(/needs a value/);
  });

  it("are refused with what is wrong, without the token", () => {
    for (const [words, reason] of [
      [`${TOKEN} -- true`, /WAKEFUL_SERVER/],
      ["-- true", /TOKEN is missing/],
      [`${TOKEN} ${TOKEN} -- true`, /only one TOKEN/],
      [`${TOKEN} --loud -- true`, /no option "--loud"/],
      ["a/b --server http://h -- true", /no token/],
      [`${TOKEN} --server hub.example -- true`, /http/],
      [`${TOKEN} --server http://a:b@hub.example -- true`, /http/],
      [`${TOKEN} --`, /stands after --/],
    ] as const) {
      expect(() => read(words)).toThrow(reason);
      try {
        read(words);
      } catch (error) {
        expect(String(error)).not.toContain(TOKEN);
      }
    }
  });
});

describe("the end of the output", () => {
  it("is its last 10,000 bytes without a character that is cut", () => {
    const tail = createTail();
    for (let count = 0; count < 30; count++) tail.add(Buffer.from("检查".repeat(200)));
    const text = tail.text();
    expect(Buffer.byteLength(text)).toBeGreaterThan(9990);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/^[检查]+$/);
  });

  it("stays within the limit when bytes that are not text are replaced", () => {
    const tail = createTail();
    tail.add(Buffer.alloc(20_000, 0xff));
    expect(Buffer.byteLength(tail.text())).toBeLessThanOrEqual(10_000);
  });
});
