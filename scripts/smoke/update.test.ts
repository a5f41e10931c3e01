/** `wakeful update` of a hub that runs as a process of its own. A script stands for systemctl and starts it. */
import { afterAll, beforeAll, beforeEach, expect, it } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executableName, MANIFEST } from "../../src/shared/agents/downloads";
import { createKey, describeFile, readKey, writeManifest } from "../lib/release-files";
import { buildExecutable } from "../systems/lib/hub";
import { freePort } from "./lib/free-port";
import { until } from "./lib/until";

const NAME = executableName(process.platform, process.arch, false);
const NEWER = "99.0.0";
const root = mkdtempSync(join(tmpdir(), "wakeful-update-"));
const built = join(root, "built");
const key = join(root, "release.key");
const port = freePort();
const origin = `http://127.0.0.1:${port}`;
/** The folder of the installed hub, new for each test. */
let folder = "";
const at = (path: string) => join(folder, path);

const versionOf = (program: string) => Bun.spawnSync([program, "version"]).stdout.toString().trim();
const health = async (): Promise<{ instance: string } | null> => {
  const response = await fetch(`${origin}/health`).catch(() => null);
  return response?.ok ? await response.json() : null;
};
const healthy = () => until("the hub to be healthy", health);
const tools = () => ({ PATH: `${at("tools")}:${process.env.PATH}`, TMPDIR: tmpdir() });
const systemctl = (...words: string[]) => Bun.spawnSync([at("tools/systemctl"), ...words], { env: tools() });

/** Stands for systemd with one service. */
const writeSystemctl = () => {
  mkdirSync(at("tools"), { recursive: true });
  const script = `#!/bin/sh
cd ${folder}
pid=$(cat pid 2>/dev/null)
runs() { [ -n "$pid" ] && readlink /proc/$pid/exe >/dev/null; }
stop() { runs && kill $pid; while runs; do sleep 0.05; done; }
start() {
  env -i PATH="${process.env.PATH}" HOST=127.0.0.1 PORT=${port} DATA_DIR=data setsid ${at("wakeful")} >>log 2>&1 </dev/null &
  echo $! >pid
}
case $1 in
  show) echo LoadState=loaded; if runs; then echo MainPID=$pid; else echo MainPID=0; fi ;;
  restart) stop; start ;;
  start) start ;;
  stop) stop ;;
esac
`;
  writeFileSync(at("tools/systemctl"), script, { mode: 0o755 });
};

type Released = { script?: string; version?: string; signedBy?: string };

/** Makes a signed release whose executable is a script. By default it is the built program under another version. */
const release = async ({ script = `exec ${built} "$@"`, version = NEWER, signedBy = key }: Released = {}) => {
  const releases = at("releases");
  mkdirSync(releases, { recursive: true });
  writeFileSync(join(releases, NAME), `#!/bin/sh\n[ "$1" = version ] && { echo ${version}; exit; }\n${script}\n`);
  const files = { [NAME]: await describeFile(join(releases, NAME)) };
  await writeManifest(releases, { version, date: new Date().toISOString().slice(0, 10), files }, readKey(signedBy));
  return releases;
};

const spawnUpdate = (words: string[], prefix: string[] = []) =>
  Bun.spawn([...prefix, at("wakeful"), "update", ...words], {
    cwd: folder,
    env: tools(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

const runUpdate = async (words: string[], prefix: string[] = []) => {
  const child = spawnUpdate(words, prefix);
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
};

/** Program and hub are as before. */
const expectUnchanged = async (instance: string | undefined) => {
  expect(versionOf(at("wakeful"))).not.toBe(NEWER);
  expect(readdirSync(folder).filter((name) => /^wakeful\./.test(name))).toEqual([]);
  expect((await health())?.instance).toBe(instance);
};

beforeAll(async () => {
  const publicText = createKey(key);
  await buildExecutable(built, "--release-key", publicText);
});
afterAll(() => {
  systemctl("stop");
  rmSync(root, { recursive: true, force: true });
});

beforeEach(async () => {
  if (folder) systemctl("stop");
  folder = mkdtempSync(join(root, "hub-"));
  copyFileSync(built, at("wakeful"));
  writeSystemctl();
  systemctl("start");
  await healthy();
  await fetch(`${origin}/api/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: "correct horse battery" }),
  });
});

const itOnLinux = it.skipIf(process.platform !== "linux");

itOnLinux("replaces the hub by a signed release, restarts it, and keeps a private backup from before", async () => {
  const before = await healthy();
  const releases = await release();
  const check = await runUpdate(["--check", "--from", releases]);
  expect([check.code, check.out]).toEqual([3, expect.stringContaining(`Version ${NEWER} of `)]);
  writeFileSync(at("data/wakeful-before-98.0.0.db"), "of an earlier update");
  const { out, err, code } = await runUpdate(["--from", releases]);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  const backup = at(`data/wakeful-before-${NEWER}.db`);
  expect(out).toContain(`Made the backup ${backup}.\n`);
  expect(out).toMatch(/Version 99\.0\.0 of \S+ runs and is healthy\.\n$/);
  expect([versionOf(at("wakeful")), statSync(backup).mode & 0o777]).toEqual([NEWER, 0o600]);
  expect((await healthy()).instance).not.toBe(before.instance);
  expect(readdirSync(folder).filter((name) => /^wakeful\./.test(name))).toEqual([]);
  expect(existsSync(at("data/wakeful-before-98.0.0.db"))).toBe(false);
});

itOnLinux(
  "takes the executable of a release as well as its address, and is up to date with its own version",
  async () => {
    const releases = await release();
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => {
        const file = Bun.file(join(releases, new URL(url).pathname));
        return existsSync(file.name ?? "") ? new Response(file) : new Response("", { status: 404 });
      },
    });
    for (const from of [
      server.url.href,
      `${server.url.href}${MANIFEST}`,
      join(releases, NAME),
      join(releases, MANIFEST),
    ])
      expect((await runUpdate(["--check", "--from", from])).code).toBe(3);
    await server.stop(true);
    await release({ version: versionOf(built) });
    const { out, code } = await runUpdate(["--from", releases]);
    expect([out, code]).toEqual([expect.stringContaining("is up to date."), 0]);
  },
);

itOnLinux("goes back when the new version does not become healthy in time", async () => {
  const releases = await release({ script: "exit 1" });
  const { out, code } = await runUpdate(["--from", releases, "--wait", "10"]);
  expect(code).toBe(2);
  expect(out).toContain(`Version ${NEWER} was not healthy within 10 seconds.\n`);
  expect(out).toEndWith("is back.\n");
  expect(out).not.toContain("is restored");
  await expectUnchanged((await healthy()).instance);
});

itOnLinux("restores the backup when the version that does not work has changed the database", async () => {
  const migrate = `import { Database } from "bun:sqlite";
    const db = new Database("data/wakeful.db");
    db.exec("insert into __drizzle_migrations (hash, created_at) values ('of the future', 9999999999999)");
    db.exec("drop table monitors");
    db.close();`;
  writeFileSync(at("migrate.ts"), migrate);
  const releases = await release({ script: `cd ${folder}; ${process.execPath} migrate.ts; exit 1` });
  const { out, code } = await runUpdate(["--from", releases, "--wait", "10"]);
  expect([code, out]).toEqual([2, expect.stringMatching(/The backup \S+ is restored/)]);
  await expectUnchanged((await healthy()).instance);
  const signedIn = await fetch(`${origin}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: "correct horse battery" }),
  });
  expect(signedIn.status).toBe(200);
  expect(readdirSync(at("data")).some((name) => name.includes(".before-"))).toBe(true);
});

itOnLinux(
  "refuses a release of another key, an older one and one that was tampered with, and changes nothing",
  async () => {
    const { instance } = await healthy();
    const other = at("other.key");
    createKey(other);
    const refused = async (released: Released, words: string[] = []) => {
      const { err, code } = await runUpdate(["--from", await release(released), ...words]);
      expect(code).toBe(1);
      await expectUnchanged(instance);
      return err;
    };
    expect(await refused({ signedBy: other })).toContain("the signature of the release is wrong");
    expect(await refused({ version: "0.0.1" })).toContain("older than this");
    const releases = await release();
    writeFileSync(join(releases, NAME), readFileSync(join(releases, NAME), "utf8").replace("exec", "evil"));
    const { err, code } = await runUpdate(["--from", releases]);
    expect([code, err]).toEqual([1, expect.stringContaining("damaged or was cut short")]);
    expect((await runUpdate(["--from", at("nowhere")])).err).toContain("there is no file or folder");
    expect((await runUpdate(["--from", at("tools")])).err).toContain(`there is no file ${at("tools")}/${MANIFEST}`);
    expect((await runUpdate([])).err).toContain("--from has to say where the release is");
    expect((await runUpdate(["--from", releases, "--wait", "5"])).err).toContain("--wait takes");
    await expectUnchanged(instance);
  },
);

itOnLinux("takes an older release when it is asked to, unless that does not know the tables", async () => {
  const { instance } = await healthy();
  const newer = await release({
    version: "0.0.1",
    script: `[ "$1" = backup ] && { echo "wakeful: written by a newer version" >&2; exit 1; }; exec ${built} "$@"`,
  });
  const { err, code } = await runUpdate(["--from", newer, "--downgrade"]);
  expect([code, err]).toEqual([1, expect.stringContaining("no backup could be made: written by a newer version")]);
  await expectUnchanged(instance);
  expect((await runUpdate(["--from", await release({ version: "0.0.1" }), "--downgrade"])).code).toBe(0);
  expect(versionOf(at("wakeful"))).toBe("0.0.1");
});

itOnLinux("leaves a whole program and a healthy hub when it is killed, and can be repeated", async () => {
  const releases = await release();
  const hung = Promise.withResolvers<void>();
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith(".zst")) return new Response("", { status: 404 });
      if (!pathname.endsWith(NAME)) return new Response(Bun.file(join(releases, pathname)));
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("#!/bin/sh\n"));
          hung.resolve();
        },
      });
      return new Response(body);
    },
  });
  const first = spawnUpdate(["--from", server.url.href]);
  await hung.promise;
  await until("the download to begin", async () => existsSync(at("wakeful.new")));
  first.kill("SIGKILL");
  await first.exited;
  await server.stop(true);
  expect(versionOf(at("wakeful"))).toBe(versionOf(built));
  const refused = await runUpdate(["--from", releases]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`left ${at("wakeful.new")}`)]);
  rmSync(at("wakeful.new"));
  // The next one is killed while it waits for a version that does not start.
  await release({ script: "exit 1" });
  const second = spawnUpdate(["--from", releases]);
  await until("the program to be replaced", async () => versionOf(at("wakeful")) === NEWER);
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) second.kill(signal);
  await until("the hub to end", async () => (await health()) === null);
  second.kill("SIGKILL");
  await second.exited;
  // By hand, as the documentation says.
  expect(versionOf(at("wakeful.before"))).toBe(versionOf(built));
  expect(Bun.spawnSync(["mv", at("wakeful.before"), at("wakeful")]).exitCode).toBe(0);
  systemctl("restart");
  await healthy();
  await release();
  expect((await runUpdate(["--from", releases])).code).toBe(0);
  expect(versionOf(at("wakeful"))).toBe(NEWER);
});

itOnLinux("only replaces the program where there is no service, and keeps the old one beside it", async () => {
  const releases = await release();
  writeFileSync(at("tools/systemctl"), "#!/bin/sh\necho LoadState=not-found\necho MainPID=0\n");
  const { out, code } = await runUpdate(["--from", releases]);
  expect([code, out]).toEqual([0, expect.stringContaining("Restart Wakeful to use it.")]);
  expect([versionOf(at("wakeful")), versionOf(at("wakeful.before"))]).toEqual([NEWER, versionOf(built)]);
  expect(existsSync(at(`data/wakeful-before-${NEWER}.db`))).toBe(true);
  // The hub is stopped by it before the next test.
  writeSystemctl();
});

itOnLinux("refuses where the service runs another program, and where there is no database to back up", async () => {
  const releases = await release();
  const { instance } = await healthy();
  copyFileSync(at("wakeful"), at("other"));
  const other = Bun.spawn([at("other"), "update", "--from", releases], { cwd: folder, env: tools(), stderr: "pipe" });
  expect(await new Response(other.stderr).text()).toContain(`the service wakeful runs ${at("wakeful")}, but this is`);
  await expectUnchanged(instance);
  writeFileSync(at("tools/systemctl"), "#!/bin/sh\necho LoadState=not-found\n");
  const elsewhere = Bun.spawn([at("wakeful"), "update", "--from", releases], {
    cwd: folder,
    env: { ...tools(), DATA_DIR: "elsewhere" },
    stderr: "pipe",
  });
  expect(await new Response(elsewhere.stderr).text()).toContain(
    `there is no database in ${at("elsewhere")} (DATA_DIR)`,
  );
  const postgres = Bun.spawn([at("wakeful"), "update", "--from", releases], {
    cwd: folder,
    env: { ...tools(), DATABASE_URL: "postgres://wakeful:of-bob@127.0.0.1:1/wakeful" },
    stderr: "pipe",
  });
  expect(await new Response(postgres.stderr).text()).toMatch(/PostgreSQL \(DATABASE_URL\): .*pg_dump.*--no-backup/);
  writeSystemctl();
  await expectUnchanged(instance);
});

const canUnshare =
  process.getuid?.() === 0 && Bun.spawnSync(["unshare", "--mount", "--pid", "--fork", "true"]).exitCode === 0;

itOnLinux.skipIf(!canUnshare)("changes nothing in a container or in a folder that is read-only", async () => {
  const releases = await release();
  const { instance } = await healthy();
  const contained = await runUpdate(["--from", releases], ["unshare", "--pid", "--fork", "--mount-proc"]);
  expect([contained.code, contained.err]).toEqual([
    1,
    expect.stringContaining("in a container here: pull the new image"),
  ]);
  const readOnly = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"';
  const refused = await runUpdate(
    ["--from", releases, "--no-backup"],
    ["unshare", "--mount", "sh", "-c", readOnly, folder],
  );
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("cannot be written (EROFS)")]);
  await expectUnchanged(instance);
});

itOnLinux.skipIf(process.getuid?.() !== 0 || !Bun.which("setpriv"))(
  "asks an ordinary user to run it as root",
  async () => {
    const releases = await release();
    const { instance } = await healthy();
    for (const path of [root, folder, releases]) chmodSync(path, 0o755);
    // As systemd answers everyone.
    const shown = `LoadState=loaded\\nMainPID=${readFileSync(at("pid"), "utf8").trim()}\\n`;
    writeFileSync(at("tools/systemctl"), `#!/bin/sh\nprintf '${shown}'\n`);
    const prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    const { err, code } = await runUpdate(["--from", releases], prefix);
    expect([code, err]).toEqual([1, expect.stringContaining("run this as root")]);
    writeFileSync(at("tools/systemctl"), "#!/bin/sh\necho LoadState=not-found\n");
    const without = await runUpdate(["--from", releases, "--no-backup"], prefix);
    expect([without.code, without.err]).toEqual([
      1,
      expect.stringContaining("cannot be written (EACCES): run this as"),
    ]);
    writeSystemctl();
    await expectUnchanged(instance);
  },
);
