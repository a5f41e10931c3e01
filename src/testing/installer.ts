import { afterEach, beforeEach } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installScript } from "../modules/servers/install/script/install-script";
import { serveTarget } from "./servers/targets";

/** A fake agent: `agent status` prints the file `status` in the test's folder and exits with the code in its first line. */
export const PROGRAM = `#!/bin/sh
[ "$1" = version ] && echo 1.2.3 && exit
[ "$1" = agent ] || exit 1
sed 1d "$FAKE_STATUS"
exit "$(head -n 1 "$FAKE_STATUS")"
`;
export const REPORTS = "0\nagent    7\nstate    reports\n";
export const TOKEN = "wkt_abc-DEF_123";
const checksum = (content: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
export const sha256 = (text: string) => checksum(text);

let folder: string;
/** Gives each test of the file a new machine in a folder, with tools that record their calls. */
export const prepareMachine = () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "wakeful-install-"));
    for (const name of ["tools", "root/run/systemd/system"]) mkdirSync(join(folder, name), { recursive: true });
    // Fakes for tools that would change this machine. They record their calls.
    mkdirSync(join(folder, "root/etc"));
    const note = (name: string) => `echo "${name} $*" >>"${folder}/calls"`;
    addTool("systemctl", `${note("systemctl")}; [ "$1" != is-failed ]`);
    addTool("useradd", `${note("useradd")}; for last; do :; done; echo "$last:x:990:" >>"${folder}/root/etc/passwd"`);
    addTool("userdel", `${note("userdel")}; rm "${folder}/root/etc/passwd"`);
    addTool(
      "crontab",
      `${note("crontab")}; if [ "$1" = - ]; then cat >"${folder}/crontab"; else cat "${folder}/crontab"; fi`,
    );
    addTool("su", `${note("su")}; for last; do :; done; case $last in exec*) exit 78 ;; *) sh -c "$last" ;; esac`);
    addTool("chown", "");
    addTool("id", `echo "\${FAKE_USER:-0}"`);
    setServerStatus(REPORTS);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
};

export const addTool = (name: string, body: string) => {
  writeFileSync(join(folder, "tools", name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "tools", name), 0o755);
};

/** Sets the answer of `agent status`: the exit code, then its lines. */
export const setServerStatus = (text: string) => writeFileSync(join(folder, "status"), text);

/** Writes the state file of an enrolled agent. */
export const enrolled = () => {
  mkdirSync(at("var/lib/wakeful-agent"), { recursive: true });
  writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
};

/** Serves a hub's downloads, and other files by their paths. */
export const serveDownloads = (
  program = PROGRAM,
  sum = sha256(program),
  others: Record<string, string | Uint8Array<ArrayBuffer>> = {},
) =>
  serveTarget((_, { path }) => {
    const other = others[path] ?? others[path.replace(".sha256", "")];
    if (other !== undefined)
      return new Response(path.endsWith(".sha256") && others[path] === undefined ? checksum(other) : other);
    if (!/^\/downloads\/wakeful-linux-(amd64|arm64)(\.sha256)?$/.test(path)) return new Response("", { status: 404 });
    return new Response(path.endsWith(".sha256") ? `${sum}  ${path.slice(11, -7)}\n` : program);
  });

type Shell = { command: string[]; path: string };

/** Debian's shells with its tools, and one with BusyBox only, as on Alpine. */
export const shells: Record<string, () => Shell> = {
  bash: () => ({ command: [Bun.which("bash") ?? "sh"], path: "/usr/bin:/bin" }),
  dash: () => ({ command: [Bun.which("dash") ?? "sh"], path: "/usr/bin:/bin" }),
  "BusyBox ash": () => {
    const bin = join(folder, "busybox");
    mkdirSync(bin, { recursive: true });
    Bun.spawnSync([Bun.which("busybox") ?? "busybox", "--install", "-s", bin]);
    return { command: [join(bin, "ash")], path: bin };
  },
};

export const at = (path: string) => join(folder, "root", path);
export const read = (path: string) => readFileSync(at(path), "utf8");
export const calls = () => (existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8") : "");

type Run = { text?: string; env?: Record<string, string>; root?: string; input?: string };

export const runIn = async (
  shell: Shell,
  server: string,
  args: string[],
  { text = installScript("@SERVER@"), env = {}, root = at(""), input }: Run = {},
) => {
  const whole = text.replace("@SERVER@", server);
  // With standard input the script is an argument, as in the page's command.
  const call = input === undefined ? ["-s", "--"] : ["-c", whole, "install.sh"];
  const child = Bun.spawn([...shell.command, ...call, ...args], {
    stdin: new Blob([input ?? whole]),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: `${join(folder, "tools")}:${shell.path}`,
      WAKEFUL_ROOT: root,
      WAKEFUL_START_TIMEOUT: "0",
      FAKE_STATUS: join(folder, "status"),
      ...env,
    },
    timeout: 20_000,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
};
