import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../../lib/time";
import { LANGUAGES, type Language } from "../../shared/language";
import { MINUTE } from "../../shared/limits";
import { callsOf, startHub } from "./hub";
import { BACKUP, MACHINES, SERVICES, STATUS_PAGE } from "./inventory";
import { addMachine } from "./machines";
import { startServices } from "./services";

const PORT = 8090;
const USER = "demo";

export const help = `usage: wakeful demo [--port ${PORT}] [--language en-US|zh-CN]

Starts a hub with made-up monitors, servers and a month of history, to look around. Only this machine can reach it. It
sends no alerts, reads no settings, and its data are deleted when it ends.

  --port       the port of the web interface, ${PORT} by default
  --language   the language of names and pages, by default that of LANG
`;

type Options = { port: number; language: Language };

const readOptions = (words: string[]): Options => {
  const { values } = parseArgs({ args: words, options: { port: { type: "string" }, language: { type: "string" } } });
  const port = Number(values.port ?? PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error("--port is a number from 1 to 65535");
  const wanted = values.language ?? (process.env.LANG?.startsWith("zh") ? "zh-CN" : "en-US");
  const language = LANGUAGES.find((one) => one === wanted);
  if (!language) throw new Error("--language is en-US or zh-CN");
  return { port, language };
};

/** Another program at the port would answer in place of the hub. @throws {Error} when there is one */
const requireFree = (port: number): void => {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data: () => {} } }).stop();
  } catch {
    throw new Error(`port ${port} is in use: choose another with --port`);
  }
};

type Call = ReturnType<typeof callsOf>;

/** Adds the monitors, and returns them with their ids. */
const addMonitors = async (call: Call, token: string, language: Language, address: string) => {
  const watched = [];
  for (const { path, name, tag, ...service } of SERVICES) {
    const body = { name: name[language], url: `${address}/${path}`, interval: 60, timeout: 10, tags: [{ name: tag }] };
    const { monitor } = await call<{ monitor: { id: number } }>("POST", "/api/monitors", token, body);
    watched.push({ ...service, id: monitor.id });
  }
  return watched;
};

/** Adds a heartbeat, and sends its ping. */
const addBackup = async (call: Call, token: string, name: string): Promise<void> => {
  const body = { name, kind: "heartbeat", config: { every: 86_400, grace: 3600 } };
  const { monitor } = await call<{ monitor: { ping_url: string } }>("POST", "/api/monitors", token, body);
  await fetch(monitor.ping_url, { method: "POST" });
};

const addMachines = async (call: Call, token: string) =>
  Promise.all(
    MACHINES.map(async (machine, place) => {
      const enrollment = await call<{ token: string }>("POST", "/api/agents/token/generate", token);
      return addMachine((path, body, key) => call("POST", path, key, body), enrollment.token, machine, place);
    }),
  );

/** Sends the reports of the machines, as long as the hub takes them. */
const keepReporting = async (machines: Awaited<ReturnType<typeof addMachines>>): Promise<void> => {
  for (;;) {
    await systemClock.sleep(MINUTE);
    for (const { report } of machines) await report();
  }
};

/** Fills the data directory and starts the hub. Everything ends with `endings`. */
const start = async (folder: string, { port, language }: Options, endings: AsyncDisposableStack) => {
  const services = startServices();
  endings.defer(services.stop);
  const origin = `http://127.0.0.1:${port}`;
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString("base64url");
  const settings = {
    ...{ HOST: "127.0.0.1", PORT: String(port), DATA_DIR: folder, PUBLIC_URL: origin, DEFAULT_LANGUAGE: language },
    ...{ ADMIN_USERNAME: USER, ADMIN_PASSWORD: password, REGISTRATION: "closed", LOG_LEVEL: "error" },
  };
  const call = callsOf(origin);
  const signIn = async () =>
    (await call<{ token: string }>("POST", "/api/auth/login", "", { username: USER, password })).token;

  const first = await startHub(origin, settings);
  const watched = await addMonitors(call, await signIn(), language, services.address).finally(first.stop);
  // The modules of the database choose its dialect by this variable when they are loaded.
  delete process.env.DATABASE_URL;
  const { writeHistory } = await import("./history");
  await writeHistory(folder, watched);
  services.letFail();

  const hub = await startHub(origin, settings);
  endings.defer(hub.stop);
  const token = await signIn();
  await addBackup(call, token, BACKUP[language]);
  const machines = await addMachines(call, token);
  await call("POST", "/api/status/config", token, {
    ...STATUS_PAGE[language],
    ...{ logoUrl: "", customCss: "", agents: [] },
    monitors: watched.map(({ id }) => id),
  });
  return { origin, password, exited: hub.exited, machines };
};

export const run = async (words: string[]): Promise<void> => {
  const options = readOptions(words);
  requireFree(options.port);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-demo-"));
  const ended = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.resolve());
  const endings = new AsyncDisposableStack();
  endings.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    process.stdout.write("Making up a month of data …\n");
    const { origin, password, exited, machines } = await start(folder, options, endings);
    process.stdout.write(
      `Open ${origin} and sign in as ${USER} with the password ${password}\nThe status page is ${origin}/status\nPress Ctrl-C to end the demo: its data are deleted then.\n`,
    );
    await Promise.race([ended.promise, exited, keepReporting(machines)]);
  } finally {
    await endings.disposeAsync();
  }
  process.exit(0);
};
