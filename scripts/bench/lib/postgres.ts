import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "../../smoke/lib/free-port";

const HOME = "/usr/lib/postgresql";

const programs = (): string => {
  const [newest] = readdirSync(HOME).toSorted((a, b) => Number(b) - Number(a));
  return join(HOME, String(newest), "bin");
};

/** PostgreSQL refuses to run as root. */
const asOwner = (command: string): void => {
  const words = process.getuid?.() === 0 ? ["su", "-s", "/bin/sh", "postgres", "-c", command] : ["sh", "-c", command];
  const { success, stderr, stdout } = Bun.spawnSync(words, { cwd: tmpdir() });
  if (!success) throw new Error(`${command}: ${stdout}${stderr}`);
};

/** A PostgreSQL cluster on loopback. `careless` turns fsync off. */
export const startPostgres = ({ careless = false } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-postgres-"));
  if (process.getuid?.() === 0) {
    const owner = Number(Bun.spawnSync(["id", "-u", "postgres"]).stdout.toString());
    chownSync(folder, owner, -1);
  }
  const [bin, port] = [programs(), freePort()];
  const control = (what: string) => asOwner(`cd '${folder}' && '${bin}/pg_ctl' -D data -l log -w ${what} >/dev/null`);
  const options = [
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`,
    ...(careless ? ["-c fsync=off -c synchronous_commit=off -c full_page_writes=off"] : []),
  ].join(" ");
  const start = () => control(`-o '${options}' start`);
  asOwner(`cd '${folder}' && '${bin}/initdb' -D data -U postgres -A trust -E UTF8 --locale=C --no-sync >/dev/null`);
  start();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  /** The postmaster first, so that it starts no other processes. */
  const signal = (name: NodeJS.Signals) => {
    const first = Number(readFileSync(join(folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
    process.kill(first, name);
    const others = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").trim().split(" ");
    for (const pid of others.filter(Boolean))
      try {
        process.kill(Number(pid), name);
      } catch {
        // It has just ended.
      }
  };
  return {
    url,
    sql: new SQL({ url, max: 2 }),
    /** Kills the server as a crash would; `start` recovers it. */
    crash: () => control("-m immediate stop"),
    start,
    /** Stops all processes with connections open (SIGSTOP) until `thaw`. */
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    remove: () => {
      control("-m immediate stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type Postgres = ReturnType<typeof startPostgres>;
