import { expect, it, onTestFinished } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../testing/agent-program";
import { createMachine } from "../../../testing/machine";
import { filesBelow } from "../../platform/proc";
import { createEngine } from "./container-engine";
import { containers, parseListed } from "./containers";

const idOf = (number: number) => number.toString(16).padStart(64, "a");

/** An entry of the list as Docker 29 answers it, without what is not read. */
const entryOf = (number: number, more: object = {}) => ({
  Id: idOf(number),
  Names: [`/web-${number}`],
  Image: "nginx:1.29",
  Labels: { "com.docker.compose.project": "shop" },
  State: "running",
  Status: "Up 2 hours",
  ...more,
});

const DETAILS = { RestartCount: 0, State: { Status: "running" }, Config: { Env: ["PASSWORD=hunter2"] } };
const statsOf = (nanoseconds: number) => ({
  cpu_stats: { cpu_usage: { total_usage: nanoseconds } },
  memory_stats: { usage: 50_000_000, stats: { inactive_file: 8_000_000 } },
});

type Answers = { list: unknown; details?: (id: string) => unknown; stats?: (id: string) => unknown };

/** An engine on a socket of its own. `asked` holds the paths of all calls. */
const startEngine = (answers: Answers, path = join(temporaryFolder(), "docker.sock")) => {
  const asked: string[] = [];
  let [running, most] = [0, 0];
  const server = Bun.serve({
    unix: path,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      asked.push(`${request.method} ${pathname}${search}`);
      most = Math.max(most, ++running);
      await Bun.sleep(0);
      running--;
      const [, , id = "", call] = pathname.split("/");
      const answer = id === "json" ? answers.list : call === "json" ? answers.details?.(id) : answers.stats?.(id);
      if (answer instanceof Response) return answer;
      return answer === undefined ? new Response("no such container", { status: 404 }) : Response.json(answer);
    },
  });
  const stop = () => {
    server.stop(true);
    rmSync(path, { force: true });
  };
  onTestFinished(stop);
  return { path, asked, stop, most: () => most };
};

/** Reads the containers of engines at these addresses, at a clock in seconds. */
const readerOf = (...engines: string[]) => {
  let seconds = 0;
  const read = containers.open(createMachine({}, { engines, files: filesBelow(""), monotonic: () => seconds * 1000 }));
  return async (second = 0) => {
    seconds = second;
    return read?.();
  };
};

it("reports state, health, restarts, processor time since the reading before, and memory without caches", async () => {
  let nanoseconds = 5e9;
  const engine = startEngine({
    list: [
      entryOf(1, { Status: "Up 2 hours (healthy)", Names: ["/other/alias", "/web"] }),
      entryOf(2, { Names: ["/job"], State: "exited", Status: "Exited (137) 3 hours ago" }),
      entryOf(3, { Names: ["/loop"], State: "restarting", Status: "Restarting (1) 5 seconds ago" }),
      entryOf(4, { Names: ["/quiet"], Labels: { "wakeful.ignore": "1" } }),
    ],
    details: (id) => ({ ...DETAILS, RestartCount: id === idOf(3) ? 17 : 0 }),
    stats: () => statsOf(nanoseconds),
  });
  const read = readerOf(engine.path);
  const web = { name: "web", image: "nginx:1.29", state: "running", health: "healthy", restarts: 0 } as const;
  const others = [
    { name: "job", image: "nginx:1.29", state: "exited", exit_status: 137 },
    { name: "loop", image: "nginx:1.29", state: "restarting", exit_status: 1, restarts: 17 },
  ];
  expect(await read()).toEqual({ containers: [...others, { ...web, memory: 42_000_000 }] });
  nanoseconds += 45e9;
  expect(await read(60)).toEqual({ containers: [...others, { ...web, memory: 42_000_000, cpu: 75 }] });
  // After a restart of the container its counter is lower.
  nanoseconds = 1e9;
  expect((await read(120))?.containers?.at(-1)).not.toHaveProperty("cpu");
  expect(new Set(engine.asked.map((call) => call.replace(/[0-9a-f]{64}/, "ID")))).toEqual(
    new Set([
      "GET /containers/json?all=1&limit=1000",
      "GET /containers/ID/json",
      "GET /containers/ID/stats?stream=false&one-shot=true",
    ]),
  );
});

it("takes the health from the details where the list has none, as Podman's", async () => {
  const engine = startEngine({
    list: [entryOf(1, { Status: "Up 3 seconds" })],
    details: () => ({ RestartCount: 2, State: { Health: { Status: "unhealthy" } } }),
  });
  expect((await readerOf(engine.path)())?.containers).toMatchObject([{ health: "unhealthy", restarts: 2 }]);
});

it("reports 100 of thousands, those that need attention first, with few calls at the same time", async () => {
  const list = Array.from({ length: 900 }, (_, index) => entryOf(index, { State: index < 600 ? "exited" : "running" }));
  list.push(entryOf(5000, { Names: ["/zz-sick"], Status: "Up 1 hour (unhealthy)" }));
  const engine = startEngine({ list, details: () => DETAILS, stats: () => statsOf(1) });
  const found = await readerOf(engine.path)();
  expect(found).toMatchObject({ containers_total: 901 });
  expect(found?.containers).toHaveLength(100);
  expect(found?.containers?.at(-1)).toMatchObject({ name: "zz-sick", health: "unhealthy" });
  expect(found?.containers?.every(({ state }) => state === "running")).toBe(true);
  expect(engine.asked).toHaveLength(201);
  expect(engine.most()).toBeLessThanOrEqual(4);
});

it("still reports containers whose details are missing or nonsense", async () => {
  const engine = startEngine({
    list: [entryOf(1), entryOf(2), entryOf(3)],
    details: (id) => (id === idOf(1) ? new Response("{") : id === idOf(2) ? { State: 7, RestartCount: -1 } : undefined),
    stats: () => ({ cpu_stats: { cpu_usage: { total_usage: "x" } }, memory_stats: [] }),
  });
  const found = (await readerOf(engine.path)())?.containers;
  expect(found).toEqual([1, 2, 3].map((number) => ({ name: `web-${number}`, image: "nginx:1.29", state: "running" })));
});

it("ignores entries whose identifier is none, and puts names on one line", () => {
  for (const Id of ["../../secrets", "abc", "A".repeat(64), 7, undefined, `${idOf(1)}/../json`])
    expect(parseListed({ ...entryOf(1), Id })).toBeNull();
  const odd = parseListed({
    Id: idOf(1),
    Names: [`/a\n\x1b[31m${"x".repeat(500)}`],
    State: "x".repeat(99),
    Labels: null,
  });
  expect(odd).toMatchObject({ name: `a [31m${"x".repeat(122)}`, image: "?", state: "x".repeat(32) });
  expect(parseListed({ Id: idOf(1), Names: "none" })).toMatchObject({ name: "a".repeat(12), state: "unknown" });
  expect(parseListed(null)).toBeNull();
});

it("makes no call with something else than an identifier", () => {
  const engine = createEngine("/does/not/exist");
  const signal = new AbortController().signal;
  for (const id of ["../images", "", "json?x="]) {
    expect(() => engine.inspect(id, signal)).toThrow("no identifier");
    expect(() => engine.stats(id, signal)).toThrow("no identifier");
  }
});

it("names what is wrong with the socket, and works again when the engine is back", async () => {
  const engine = startEngine({ list: [entryOf(1)], details: () => DETAILS, stats: () => statsOf(1) });
  const read = readerOf(engine.path);
  expect((await read())?.containers).toHaveLength(1);
  engine.stop();
  await expect(read(30)).rejects.toThrow(`${engine.path}: there is no such socket`);
  const again = startEngine({ list: new Response("permission denied", { status: 403 }) }, engine.path);
  await expect(read(60)).rejects.toThrow(`${engine.path}: it answers 403`);
  again.stop();
  writeFileSync(engine.path, "");
  await expect(read(90)).rejects.toThrow("nothing listens there");
  rmSync(engine.path);
  startEngine({ list: [entryOf(1), entryOf(2)] }, engine.path);
  expect((await read(120))?.containers).toHaveLength(2);
});

it("refuses an answer that is too long, no JSON or no list", async () => {
  for (const [list, message] of [
    [new Response("x".repeat(8_000_001)), "its answer has more than 8 MB"],
    [new Response("<html>"), "JSON"],
    [{ message: "hello" }, "answers no list"],
    [new Response(null, { status: 302, headers: { location: "http://127.0.0.1:9/" } }), "it answers 302"],
  ] as const)
    await expect(readerOf(startEngine({ list }).path)()).rejects.toThrow(message);
});

it("reads the first engine that exists, or a proxy in front of one", async () => {
  const engine = startEngine({ list: [entryOf(1)] });
  expect((await readerOf("/does/not/exist.sock", engine.path)())?.containers).toHaveLength(1);
  const proxy = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json([entryOf(1), entryOf(2)]) });
  onTestFinished(() => proxy.stop(true));
  expect((await readerOf(`http://127.0.0.1:${proxy.port}`)())?.containers).toHaveLength(2);
});

it("is off unless it is asked for", () => {
  expect(containers.open(createMachine())).toBeNull();
});
