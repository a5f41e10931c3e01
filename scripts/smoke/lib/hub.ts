import { copyFileSync, linkSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Client, createClient } from "../../../src/testing/client";
import { until } from "./until";

const BUILT = resolve(import.meta.dir, "../../../dist/wakeful");

export const PASSWORD = "correct horse battery";

/** An empty directory with nothing but the executable. `remove` deletes it and everything in it. */
export const installConsole = () => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-"));
  const executable = join(folder, "wakeful");
  try {
    linkSync(BUILT, executable);
  } catch {
    // The temporary folder is on another file system.
    copyFileSync(BUILT, executable);
  }
  return { folder, executable, remove: () => rmSync(folder, { recursive: true, force: true }) };
};

type Installation = Pick<ReturnType<typeof installConsole>, "folder" | "executable">;
export type Settings = Record<string, string>;

/** The given variables and what a program needs to run: no setting of this machine affects a test. */
const environment = (settings: Settings) => ({
  PATH: process.env.PATH ?? "",
  TMPDIR: tmpdir(),
  ...settings,
});

/** Runs one command of the executable and waits for its exit. */
export const runCommand = async (
  { folder, executable }: Installation,
  words: string[],
  { settings = {}, input = "" }: { settings?: Settings; input?: string } = {},
) => {
  const child = Bun.spawn([executable, ...words], {
    cwd: folder,
    env: environment(settings),
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 120_000,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
};

/** Words that run the hub elsewhere, as in a network namespace, and its address there. */
type Elsewhere = { enter: string[]; address: string };

/** Starts the hub on a free port and waits until it is healthy. Its data is in the installation's directory. */
export const startConsole = async (
  { folder, executable }: Installation,
  settings: Settings = {},
  { enter, address }: Elsewhere = { enter: [], address: "127.0.0.1" },
) => {
  const child = Bun.spawn([...enter, executable], {
    cwd: folder,
    env: environment({ HOST: "127.0.0.1", PORT: "0", ...settings }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const log: string[] = [];
  const following = follow(child.stdout, log);
  const port = await until("the hub listens", async () => {
    if (child.exitCode !== null) throw new Error(`the hub ended with ${child.exitCode}: ${log.join("\n")}`);
    const line = log.find((text) => text.includes('"listening"'));
    return line && Number(new URL((JSON.parse(line) as { url: string }).url).port);
  });
  const origin = `http://${address}:${port}`;
  await until("the hub is well", async () => (await fetch(`${origin}/health`).catch(() => null))?.ok);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const code = await child.exited;
    await following;
    return code;
  };
  return {
    origin,
    port,
    log,
    as: (token = "") => clientOf(origin, token),
    /** Sends SIGTERM and returns the exit code. */
    stop: () => end("SIGTERM"),
    /** Sends a signal that does not end it. */
    signal: (signal: "SIGSTOP" | "SIGCONT") => child.kill(signal),
    /** Kills it with SIGKILL. */
    kill: () => end("SIGKILL"),
  };
};

export type HubProcess = Awaited<ReturnType<typeof startConsole>>;

const follow = async (stream: ReadableStream<Uint8Array>, log: string[]) => {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    log.push(...lines);
  }
};

const clientOf = (origin: string, token: string): Client =>
  createClient((request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(origin + pathname + search, request));
  }, token);

/** The client of a user, and what a page stores of the session. */
type SignedIn = Client & { signedIn: { token: string; user: unknown } };

/** Registers a user and signs in. */
export const joinAs = async (running: HubProcess, username: string): Promise<SignedIn> => {
  await running.as().post("/api/auth/register", { username, password: PASSWORD });
  return signIn(running, username);
};

export const signIn = async (running: HubProcess, username: string, password = PASSWORD): Promise<SignedIn> => {
  const { status, body } = await running.as().post("/api/auth/login", { username, password });
  if (status !== 200) throw new Error(`${username} could not sign in: ${status} ${body.code}`);
  return Object.assign(running.as(body.token), { signedIn: { token: body.token, user: body.user } });
};

/** A monitor as submitted by the page's form. */
export const monitorOf = (url: string, name = "Shop") => ({ name, url, interval: 60, timeout: 5, expectedStatus: 200 });
