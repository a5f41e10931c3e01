import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQL, type Subprocess } from "bun";
import { haproxyCfg, type Node, PASSWORDS, type Ports, patroniYml, pgbouncerIni, userlistTxt } from "./pair-config";
import { freePort, programs } from "./postgres";

/** The programs, and Debian's packages of them. */
const PACKAGES = {
  patroni: "patroni python3-etcd",
  etcd: "etcd-server",
  haproxy: "haproxy",
  pgbouncer: "pgbouncer",
  initdb: "postgresql-15",
};

/** The PATH of a user may lack the directories of servers. */
const find = (program: string): string | null =>
  Bun.which(program, { PATH: `${process.env.PATH}:/usr/sbin:/usr/lib/postgresql/15/bin` });

/** The Debian packages that are missing. */
export const missingPackages = (): string[] =>
  Object.entries(PACKAGES)
    .filter(([program]) => !find(program))
    .map(([, packages]) => packages);

/** Milliseconds after which haproxy has checked both servers. */
const SETTLING = 3000;

const isRoot = process.getuid?.() === 0;
const idOf = (flag: "-u" | "-g") => Number(Bun.spawnSync(["id", flag, "postgres"]).stdout.toString());

/** Waits until `work` returns something, at most for a minute. */
const until = async <T>(what: string, work: () => Promise<T | false>): Promise<T> => {
  for (const begun = performance.now(); performance.now() - begun < 60_000; await Bun.sleep(50)) {
    const found = await work().catch(() => false as const);
    if (found) return found;
  }
  throw new Error(`waited a minute for ${what}`);
};

/** A folder of the user who runs PostgreSQL, which refuses to run as root, and a way to run programs as that user. */
const openFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-pair-"));
  const own = (path: string, mode: number): string => {
    if (isRoot) chownSync(path, idOf("-u"), idOf("-g"));
    chmodSync(path, mode);
    return path;
  };
  own(folder, 0o700);
  mkdirSync(join(folder, "etcd"));
  own(join(folder, "etcd"), 0o700);
  const user = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : [];
  return {
    folder,
    write: (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return own(join(folder, name), 0o600);
    },
    run: (name: string, program: string, ...args: string[]): Subprocess => {
      const log = openSync(join(folder, `${name}.log`), "a");
      const command = [...user, find(program) ?? program, ...args];
      const started = Bun.spawn(command, { cwd: folder, stdout: log, stderr: log });
      // patroni ends its server.
      process.once("exit", () => started.kill("SIGTERM"));
      return started;
    },
  };
};

type Folder = ReturnType<typeof openFolder>;

const urlAt = (port: number) => `postgres://wakeful:${PASSWORDS.wakeful}@127.0.0.1:${port}/wakeful`;

const query = async (url: string, ...statements: string[]): Promise<true> => {
  const client = new SQL({ url, max: 1, prepare: false, connectionTimeout: 2 });
  try {
    for (const statement of statements) await client.unsafe(statement);
    return true;
  } finally {
    await client.close({ timeout: 0 });
  }
};

const startEtcd = async ({ run }: Folder, { etcd, peer }: Ports): Promise<Subprocess> => {
  const [clients, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`];
  const own = ["--data-dir", "etcd", "--listen-client-urls", clients, "--advertise-client-urls", clients];
  const others = ["--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers];
  const started = run("etcd", "etcd", ...own, ...others, "--initial-cluster", `default=${peers}`);
  await until("etcd", async () => (await fetch(`${clients}/health`)).ok);
  return started;
};

/** Whether patroni says so of its server. */
const is = async ({ api }: Node, state: "primary" | "sync"): Promise<boolean> =>
  (await fetch(`http://127.0.0.1:${api}/${state}`, { signal: AbortSignal.timeout(1000) })).ok;

/** Sends a signal to all processes of the server with these data, if it runs. */
const signalPostgres = (data: string, signal: NodeJS.Signals): void => {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const first = Number(readFileSync(file, "utf8").split("\n")[0]);
  const entry = `/proc/${first}`;
  // The file outlives a server that was killed, and its number may be that of another process by then.
  if (!existsSync(entry) || !readFileSync(`${entry}/cmdline`, "utf8").includes(data)) return;
  const others = readFileSync(`${entry}/task/${first}/children`, "utf8").trim().split(" ").filter(Boolean);
  for (const pid of [first, ...others.map(Number)])
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
};

/** Ways to take the role of the primary away from a server, the first of two. */
const losses = (folder: string, patronis: Map<string, Subprocess>) => {
  const signalBoth = ({ name }: Node, signal: NodeJS.Signals) => {
    patronis.get(name)?.kill(signal);
    signalPostgres(join(folder, name), signal);
  };
  return {
    /** As with the power of its machine. */
    killed: async (node: Node) => signalBoth(node, "SIGKILL"),
    /** As a machine that hangs, or one behind a network that drops packets. */
    frozen: async (node: Node) => signalBoth(node, "SIGSTOP"),
    /** patroni alone dies, and the server goes on. */
    unmanaged: async ({ name }: Node) => void patronis.get(name)?.kill("SIGKILL"),
    /** For maintenance, in order. */
    switched: async (from: Node, to: Node) => {
      const body = JSON.stringify({ leader: from.name, candidate: to.name });
      await fetch(`http://127.0.0.1:${from.api}/switchover`, { method: "POST", body });
    },
  };
};

export type Loss = keyof ReturnType<typeof losses>;
export const LOSSES: Loss[] = ["killed", "frozen", "unmanaged", "switched"];

/** Both servers, each with its patroni. */
const startServers = async ({ folder, write, run }: Folder, ports: Ports) => {
  const patronis = new Map<string, Subprocess>();
  const start = ({ name }: Node) => patronis.set(name, run(name, "patroni", join(folder, `${name}.yml`)));
  const [first, second] = ports.nodes;
  for (const node of ports.nodes) write(`${node.name}.yml`, patroniYml(folder, programs(), ports, node));
  start(first);
  await until("the first server", () => is(first, "primary"));
  await query(
    `postgres://postgres:${PASSWORDS.postgres}@127.0.0.1:${first.port}/postgres`,
    `create role wakeful login password '${PASSWORDS.wakeful}'`,
    "create database wakeful owner wakeful",
  );
  start(second);
  await until("the synchronous standby", () => is(second, "sync"));
  return {
    ...losses(folder, patronis),
    /** Kills what is left of a lost server, starts it again, and waits until it follows the primary synchronously. */
    rejoin: async (node: Node): Promise<void> => {
      patronis.get(node.name)?.kill("SIGKILL");
      await patronis.get(node.name)?.exited;
      signalPostgres(join(folder, node.name), "SIGKILL");
      start(node);
      await until("the lost server to follow", () => is(node, "sync"));
    },
    stop: async (): Promise<void> => {
      for (const [name, patroni] of patronis) {
        signalPostgres(join(folder, name), "SIGCONT");
        for (const signal of ["SIGCONT", "SIGTERM"] as const) patroni.kill(signal);
      }
      for (const [name, { exited }] of patronis) {
        await exited;
        signalPostgres(join(folder, name), "SIGKILL");
      }
    },
  };
};

/**
 * A PostgreSQL pair with automatic failover on loopback: etcd, one patroni for each server with synchronous replication,
 * haproxy in front of the primary, and pgbouncer with transaction pooling in front of that.
 */
export const startPostgresPair = async () => {
  const folder = openFolder();
  const node = (name: string): Node => ({ name, port: freePort(), api: freePort() });
  const [etcd, peer, haproxy, pgbouncer] = [freePort(), freePort(), freePort(), freePort()];
  const ports: Ports = { etcd, peer, haproxy, pgbouncer, nodes: [node("pg1"), node("pg2")] };
  const [first, second] = ports.nodes;
  const processes = [await startEtcd(folder, ports)];
  const servers = await startServers(folder, ports);
  folder.write("userlist.txt", userlistTxt);
  processes.push(folder.run("haproxy", "haproxy", "-f", folder.write("haproxy.cfg", haproxyCfg(ports))));
  // Until haproxy has checked each server once, it takes both for the primary.
  await Bun.sleep(SETTLING);
  processes.push(
    folder.run("pgbouncer", "pgbouncer", folder.write("pgbouncer.ini", pgbouncerIni(folder.folder, ports))),
  );
  /** Writes through pgbouncer. @throws while there is no primary */
  const write = () => query(urlAt(pgbouncer), "select pg_current_xact_id()");
  await until("pgbouncer", write);
  const sql = new SQL({ url: urlAt(haproxy), max: 2 });
  return {
    ...servers,
    folder: folder.folder,
    /** Through pgbouncer. */
    url: `${urlAt(pgbouncer)}?pool_mode=transaction`,
    /** Through haproxy, to the primary of the moment. */
    directUrl: urlAt(haproxy),
    sql,
    write,
    isPrimary: (one: Node) => is(one, "primary"),
    primary: (): Promise<Node> =>
      until("a primary", async () => {
        for (const one of ports.nodes) if (await is(one, "primary").catch(() => false)) return one;
        return false;
      }),
    other: (one: Node): Node => (one === first ? second : first),
    remove: async (): Promise<void> => {
      await sql.close({ timeout: 0 });
      await servers.stop();
      for (const started of processes.toReversed()) {
        started.kill("SIGTERM");
        await started.exited;
      }
      rmSync(folder.folder, { recursive: true, force: true });
    },
  };
};

export type PostgresPair = Awaited<ReturnType<typeof startPostgresPair>>;
