import { afterEach, beforeEach, describe, expect, it } from "bun:test";
import {
  chmodSync,
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
import { serveTarget } from "../../testing/targets";
import script from "./install.sh" with { type: "text" };

const PROGRAM = '#!/bin/sh\n[ "$1" = version ] && echo 1.2.3\n';
const TOKEN = "wkt_abc-DEF_123";
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wakeful-install-"));
  for (const name of ["tools", "root/run/systemd/system"]) mkdirSync(join(folder, name), { recursive: true });
  // The machine's own would change the machine: these write down that they were called.
  for (const name of ["systemctl", "useradd", "userdel"]) addTool(name, `echo "${name} $*" >>"${folder}/calls"`);
  addTool(
    "id",
    `[ "$1" = -u ] && echo "\${FAKE_USER:-0}" && exit
     grep -q "useradd.* $1\\$" "${folder}/calls" 2>/dev/null && ! grep -q "userdel $1" "${folder}/calls"`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addTool = (name: string, body: string) => {
  writeFileSync(join(folder, "tools", name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "tools", name), 0o755);
};

/** A console's downloads. */
const serveDownloads = (program = PROGRAM, sum = sha256(program)) =>
  serveTarget((_, { path }) => {
    if (!/^\/downloads\/wakeful-linux-(amd64|arm64)(\.sha256)?$/.test(path)) return new Response("", { status: 404 });
    return new Response(path.endsWith(".sha256") ? `${sum}  ${path.slice(11, -7)}\n` : program);
  });

type Shell = { words: string[]; path: string };

/** Debian's shell with Debian's tools, and one that has nothing but BusyBox, as Alpine does. */
const shells: Record<string, () => Shell> = {
  dash: () => ({ words: [Bun.which("dash") ?? "sh"], path: "/usr/bin:/bin" }),
  "BusyBox ash": () => {
    const bin = join(folder, "busybox");
    mkdirSync(bin);
    Bun.spawnSync([Bun.which("busybox") ?? "busybox", "--install", "-s", bin]);
    return { words: [join(bin, "ash")], path: bin };
  },
};

const at = (path: string) => join(folder, "root", path);
const read = (path: string) => readFileSync(at(path), "utf8");
const calls = () => (existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8") : "");

const runIn = async (
  shell: Shell,
  server: string,
  words: string[],
  { text = script, env = {}, root = at("") } = {},
) => {
  const child = Bun.spawn([...shell.words, "-s", "--", ...words], {
    stdin: new Blob([text.replace("@SERVER@", server)]),
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: `${join(folder, "tools")}:${shell.path}`, WAKEFUL_ROOT: root, WAKEFUL_PATIENCE: "0", ...env },
    timeout: 20_000,
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
};

for (const [name, shellOf] of Object.entries(shells)) {
  describe(`under ${name}`, () => {
    it("installs the program and starts it as a service", async () => {
      const { origin } = serveDownloads();
      const { out, err, code } = await runIn(shellOf(), origin, ["--token", TOKEN, "--name", "web 1"]);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(out).toContain(`reports to ${origin} every 60 s`);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
      expect(statSync(at("usr/local/bin/wakeful")).mode & 0o777).toBe(0o755);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
      expect(read("etc/wakeful-agent.env")).toEndWith(
        `\nWAKEFUL_SERVER="${origin}"\nWAKEFUL_TOKEN="${TOKEN}"\nWAKEFUL_INTERVAL="60"\nWAKEFUL_NAME="web 1"\n`,
      );
      expect(statSync(at("etc/wakeful-agent.env")).mode & 0o777).toBe(0o600);
      const unit = read("etc/systemd/system/wakeful-agent.service");
      expect(unit).toContain("ExecStart=/usr/local/bin/wakeful agent start\n");
      expect(unit).not.toContain(TOKEN);
      expect(calls()).toMatch(
        /^useradd .* wakeful-agent\nsystemctl daemon-reload\nsystemctl enable --quiet wakeful-agent\nsystemctl restart wakeful-agent\nsystemctl is-active --quiet wakeful-agent\n$/,
      );
    });

    it("brings an installation up to date, and keeps what it was told", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN, "--interval", "15"]);
      const program = `${PROGRAM}# newer\n`;
      const { origin } = serveDownloads(program);
      const { err, code } = await runIn(shell, origin, []);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(read("usr/local/bin/wakeful")).toBe(program);
      expect(read("etc/wakeful-agent.env")).toContain(
        `WAKEFUL_SERVER="${origin}"\nWAKEFUL_TOKEN="${TOKEN}"\nWAKEFUL_INTERVAL="15"`,
      );
      expect(calls().match(/useradd/g)).toHaveLength(1);
    });

    it("refuses a download that is not what the console says, and leaves what is there", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN]);
      const { err, code } = await runIn(shell, serveDownloads(`${PROGRAM}# evil\n`, sha256("other")).origin, []);
      expect(err).toContain(`not ${sha256("other")}. Nothing was installed.`);
      expect(code).toBe(1);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
    });

    it("takes away everything it made", async () => {
      const shell = shellOf();
      const { origin } = serveDownloads();
      await runIn(shell, origin, ["--token", TOKEN]);
      mkdirSync(at("var/lib/wakeful-agent"), { recursive: true });
      writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
      const { err, code } = await runIn(shell, origin, ["--uninstall"]);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      const files = readdirSync(at(""), { recursive: true }).filter((path) => statSync(at(String(path))).isFile());
      expect(files).toEqual([]);
      expect(calls()).toContain("systemctl disable --quiet --now wakeful-agent\n");
      expect(calls()).toContain("userdel wakeful-agent\n");
      expect(existsSync(at("var/lib/wakeful-agent"))).toBe(false);
      expect((await runIn(shell, origin, ["--uninstall"])).code).toBe(0);
    });

    it("does nothing when the script was cut short", async () => {
      const shell = shellOf();
      const { origin, requests } = serveDownloads();
      const end = script.lastIndexOf("main");
      for (const length of [500, Math.floor(script.length / 2), end, end + 2]) {
        await runIn(shell, origin, ["--token", TOKEN], { text: script.slice(0, length) });
        expect([length, requests, calls()]).toEqual([length, [], ""]);
        expect(readdirSync(at(""))).toEqual(["run"]);
      }
    });

    it("says how to run it where there is no systemd", async () => {
      rmSync(at("run"), { recursive: true });
      const { out, code } = await runIn(shellOf(), serveDownloads().origin, ["--token", TOKEN]);
      expect(code).toBe(0);
      expect(out).toContain("exec /usr/local/bin/wakeful agent start");
      expect(calls()).toBe("");
    });
  });
}

describe("installing", () => {
  const dash = () => shells.dash!();

  it("wants a token, and names what is wrong with a word", async () => {
    const { origin, requests } = serveDownloads();
    const wrong: [words: string[], message: string][] = [
      [[], "--token is needed"],
      [["--token"], "--token needs a value"],
      [["--token", "a'b"], "--token holds no token"],
      [["--token", TOKEN, "--interval", "0"], "from 1 to 86400"],
      [["--token", TOKEN, "--interval", "86401"], "from 1 to 86400"],
      [["--token", TOKEN, "--interval", "5m"], "from 1 to 86400"],
      [["--token", TOKEN, "--name", "a$(reboot)"], "--name may hold no"],
      [["--token", TOKEN, "--name", "a\nb"], "--name may hold no"],
      [["--dance"], "no option --dance"],
    ];
    for (const [words, message] of wrong) {
      const { err, code } = await runIn(dash(), origin, words);
      expect(err).toContain(message);
      expect(code).toBe(1);
    }
    expect(requests).toEqual([]);
  });

  it("says that it has to be root", async () => {
    const { err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN], {
      root: "",
      env: { FAKE_USER: "1000" },
    });
    expect(err).toContain("has to run as root");
    expect(code).toBe(1);
  });

  it("says what it could not download", async () => {
    const { origin } = serveTarget(() => new Response("", { status: 404 }));
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN]);
    expect(err).toContain(`could not download ${origin}/downloads/wakeful-linux-`);
    expect(code).toBe(1);
    expect(existsSync(at("etc"))).toBe(false);
  });

  it("installs nothing that does not run here", async () => {
    const { err, code } = await runIn(dash(), serveDownloads("#!/bin/sh\nexit 3\n").origin, ["--token", TOKEN]);
    expect(err).toContain("does not run on this system");
    expect(code).toBe(1);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(false);
  });

  it("says where to look when the service does not stay up", async () => {
    addTool("systemctl", '[ "$1" != is-active ]');
    const { err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN]);
    expect(err).toContain("journalctl -u wakeful-agent");
    expect(code).toBe(1);
  });

  it("leaves a program that was there before where it is", async () => {
    mkdirSync(at("usr/local/bin"), { recursive: true });
    writeFileSync(at("usr/local/bin/wakeful"), "the console");
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    await runIn(dash(), origin, []);
    await runIn(dash(), origin, ["--uninstall"]);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(true);
    expect(existsSync(at("etc/wakeful-agent.env"))).toBe(false);
  });
});
