import { ownCommand } from "../../build-info";
import { systemClock } from "../../lib/time";

/** Milliseconds until the hub has to answer. */
const START = 60_000;

/** Starts a hub with these settings alone, and waits until it answers. */
export const startHub = async (origin: string, settings: Record<string, string>) => {
  const { PATH = "", HOME = "", TMPDIR = "", SystemRoot = "" } = process.env;
  const child = Bun.spawn([...ownCommand(), "serve"], {
    env: { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(SystemRoot && { SystemRoot }), ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child.exited;
  };
  const until = systemClock.now() + START;
  while (!(await fetch(`${origin}/health`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error("the hub could not start");
    if (systemClock.now() > until) {
      await stop();
      throw new Error("the hub does not answer");
    }
    await systemClock.sleep(100);
  }
  return { stop, exited: child.exited };
};

/** Calls the API of a hub with a session or a key. @throws {Error} when it refuses */
export const callsOf =
  (origin: string) =>
  async <T>(method: "GET" | "POST", path: string, token = "", body?: object): Promise<T> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
