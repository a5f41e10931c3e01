/** Probes targets as an administrator does before a monitor is saved: by the executable's POST /api/monitors/probe. */
import { afterAll } from "bun:test";
import type { Client } from "../../../src/testing/client";
import { installConsole, joinAs, PASSWORD, type Settings, signIn, startConsole } from "../../smoke/lib/hub";

/** Fewer than the limit of one user in a minute. */
const PROBES_OF_ONE = 25;

/** Starts the hub, with settings, for the tests of one file, and returns what probes. */
export const startProbing = async (settings: Settings = {}) => {
  const installation = installConsole();
  const hub = await startConsole(installation, settings);
  afterAll(async () => {
    await hub.stop();
    installation.remove();
  });
  const first = await joinAs(hub, "alice");
  let count = 0;
  let current: Promise<Client> = Promise.resolve(first);

  const createAdministrator = async (username: string): Promise<Client> => {
    const { status } = await first.post("/api/users", { username, password: PASSWORD, role: "admin" });
    if (status !== 201) throw new Error(`an administrator could not be created: ${status}`);
    return signIn(hub, username);
  };

  /** Another administrator after each PROBES_OF_ONE probes, which may run at the same time. */
  const administrator = (): Promise<Client> => {
    if (count > 0 && count % PROBES_OF_ONE === 0) current = createAdministrator(`alice${count}`);
    count++;
    return current;
  };

  /** The outcome of one probe; `error_code` is null when up. A busy machine keeps its time limit, which is in seconds. */
  const probe = async (kind: string, config: object, timeout = 30) => {
    const client = await administrator();
    const { status, body } = await client.post("/api/monitors/probe", { kind, config, timeout });
    if (status !== 200) throw new Error(`the probe was refused: ${status} ${JSON.stringify(body)}`);
    return body.result;
  };

  /** The code of the error of one probe, or `up`. */
  const codeOf = async (kind: string, config: object, timeout?: number): Promise<string> => {
    const { up, error_code } = await probe(kind, config, timeout);
    return up ? "up" : String(error_code);
  };

  return { hub, probe, codeOf };
};
