import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveTarget } from "../../testing/targets";
import script from "./install.sh" with { type: "text" };

/** Stands in for the program: `agent status` says what the file `status` in the test's folder holds, and exits by its first line. */
const PROGRAM = `#!/bin/sh
[ "$1" = version ] && echo 1.2.3 && exit
[ "$1" = agent ] || exit 1
sed 1d "$FAKE_STATUS"
exit "$(head -n 1 "$FAKE_STATUS")"
`;
const REPORTS = "0\nagent    7\nstate    reports\n";
const TOKEN = "wkt_abc-DEF_123";
const sha256 = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wakeful-install-"));
  for (const name of ["tools", "root/run/systemd/system"]) mkdirSync(join(folder, name), { recursive: true });
  // The machine's own would change the machine: these write down that they were called.
  mkdirSync(join(folder, "root/etc"));
  const note = (name: string) => `echo "${name} $*" >>"${folder}/calls"`;
  addTool("systemctl", `${note("systemctl")}; [ "$1" != is-failed ]`);
  addTool("useradd", `${note("useradd")}; for last; do :; done; echo "$last:x:990:" >>"${folder}/root/etc/passwd"`);
  addTool("userdel", `${note("userdel")}; rm "${folder}/root/etc/passwd"`);
  addTool("id", `echo "\${FAKE_USER:-0}"`);
  stand(REPORTS);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const addTool = (name: string, body: string) => {
  writeFileSync(join(folder, "tools", name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(folder, "tools", name), 0o755);
};

/** What the agent answers when it is asked how it stands: the exit code, then its lines. */
const stand = (text: string) => writeFileSync(join(folder, "status"), text);

/** As the agent leaves it behind once it is enrolled. */
const enrolled = () => {
  mkdirSync(at("var/lib/wakeful-agent"), { recursive: true });
  writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
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
  bash: () => ({ words: [Bun.which("bash") ?? "sh"], path: "/usr/bin:/bin" }),
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

type Run = { text?: string; env?: Record<string, string>; root?: string; input?: string };

const runIn = async (
  shell: Shell,
  server: string,
  words: string[],
  { text = script, env = {}, root = at(""), input }: Run = {},
) => {
  const whole = text.replace("@SERVER@", server);
  // With something on standard input the script is an argument, as in the page's command.
  const call = input === undefined ? ["-s", "--"] : ["-c", whole, "install.sh"];
  const child = Bun.spawn([...shell.words, ...call, ...words], {
    stdin: new Blob([input ?? whole]),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      PATH: `${join(folder, "tools")}:${shell.path}`,
      WAKEFUL_ROOT: root,
      WAKEFUL_PATIENCE: "0",
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

for (const [name, shellOf] of Object.entries(shells)) {
  describe(`under ${name}`, () => {
    it("installs the program and starts it as a service", async () => {
      const { origin } = serveDownloads();
      const sum = sha256(PROGRAM);
      const words = ["--server", `${origin}/`, "--sha256", sum, "--token-file", "-", "--name", "web 1"];
      const { out, err, code } = await runIn(shellOf(), "http://elsewhere.example", words, { input: `${TOKEN}\n` });
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(out).toContain(`reports to ${origin} every 60 s`);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
      expect(statSync(at("usr/local/bin/wakeful")).mode & 0o777).toBe(0o755);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
      expect(read("etc/wakeful-agent.env")).toEndWith(
        `\nWAKEFUL_SERVER="${origin}"\nWAKEFUL_INTERVAL="60"\nWAKEFUL_NAME="web 1"\n`,
      );
      expect(statSync(at("etc/wakeful-agent.env")).mode & 0o777).toBe(0o600);
      const unit = read("etc/systemd/system/wakeful-agent.service");
      expect(unit).toContain("ExecStart=/usr/local/bin/wakeful agent start\n");
      expect(unit).not.toContain(TOKEN);
      expect(calls()).toMatch(
        /^systemctl stop wakeful-agent\nuseradd .* wakeful-agent\nsystemctl daemon-reload\nsystemctl enable --quiet wakeful-agent\nsystemctl reset-failed wakeful-agent\nsystemctl restart wakeful-agent\n$/,
      );
    });

    it("brings an installation up to date without a token, and keeps its settings", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN, "--interval", "15"]);
      enrolled();
      writeFileSync(
        at("etc/wakeful-agent.env"),
        `${read("etc/wakeful-agent.env")}# Mine\nHTTPS_PROXY=http://proxy:3128\n`,
      );
      const program = `${PROGRAM}# newer\n`;
      const { origin } = serveDownloads(program);
      const { err, code } = await runIn(shell, origin, []);
      expect({ err, code }).toEqual({ err: "", code: 0 });
      expect(read("usr/local/bin/wakeful")).toBe(program);
      expect(read("etc/wakeful-agent.env")).toEndWith(
        `WAKEFUL_SERVER="${origin}"\nWAKEFUL_INTERVAL="15"\n# Mine\nHTTPS_PROXY=http://proxy:3128\n`,
      );
      expect(statSync(at("etc/wakeful-agent.env")).mode & 0o777).toBe(0o600);
      expect(calls().match(/useradd/g)).toHaveLength(1);
    });

    it("refuses a download that is not what the console says, and leaves what is there", async () => {
      const shell = shellOf();
      await runIn(shell, serveDownloads().origin, ["--token", TOKEN]);
      enrolled();
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
      expect(calls()).toContain("systemctl daemon-reload\nsystemctl reset-failed wakeful-agent\n");
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
        expect(readdirSync(at("")).toSorted()).toEqual(["etc", "run"]);
        expect(readdirSync(at("etc"))).toEqual([]);
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
      [[], "a token is needed"],
      [["--server", "ftp://a"], "--server is the console's address"],
      [["--server", "https://a/$(reboot)"], "--server holds a character"],
      [["--server", 'https://a"b'], "--server holds a character"],
      [["--sha256", "abc"], "--sha256 holds no checksum"],
      [["--token-file", "/does/not/exist"], "--token-file: cannot read /does/not/exist"],
      [["--token"], "--token needs a value"],
      [["--token", "a'b"], "this is no token"],
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
    expect(readdirSync(at("etc"))).toEqual([]);
  });

  it("installs nothing that does not run here", async () => {
    const { err, code } = await runIn(dash(), serveDownloads("#!/bin/sh\nexit 3\n").origin, ["--token", TOKEN]);
    expect(err).toContain("does not run on this system");
    expect(code).toBe(1);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(false);
  });

  it("says in the agent's own words why the service does not run", async () => {
    addTool("systemctl", "true");
    stand("1\nnot enrolled\nstate    https://a.example/ does not take this machine: the token has expired\n");
    const { err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN]);
    expect(err).toContain(
      "is installed but does not run: https://a.example/ does not take this machine: the token has expired",
    );
    expect(code).toBe(1);
  });

  it("reports no success before the first report, and says what it waits for", async () => {
    stand("1\nnot enrolled\nstate    Cannot enrol at https://a.example/ yet: the connection is refused\n");
    const { out, err, code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN], {
      env: { https_proxy: "http://proxy:3128" },
    });
    expect(err).toContain("has not reached");
    expect(err).toContain("yet: the connection is refused");
    expect(err).toContain("add HTTPS_PROXY=");
    expect([code, out.includes("The agent runs and reports")]).toEqual([1, false]);
    expect(read("etc/wakeful-agent.env")).toContain(TOKEN);
  });

  it("brings the earlier settings back when a new token is refused", async () => {
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN, "--interval", "15"]);
    enrolled();
    const before = read("etc/wakeful-agent.env");
    stand(`${REPORTS}token    refused: it knows no such token\n`);
    const { err, code } = await runIn(dash(), origin, ["--token", "wkt_wrong", "--interval", "5"]);
    expect(err).toContain("the new token was refused: it knows no such token The earlier settings are back");
    expect(code).toBe(1);
    expect(read("etc/wakeful-agent.env")).toBe(before);
    expect(readdirSync(at("etc")).toSorted()).toEqual(["passwd", "systemd", "wakeful-agent.env"]);
    expect(calls().trim().split("\n").at(-1)).toBe("systemctl restart wakeful-agent");
  });

  it("refuses http:// for other machines unless it is asked for", async () => {
    for (const address of ["http://192.168.1.5:8080", "http://127.example.com", "http://watch.example.com/wakeful"]) {
      const { err, code } = await runIn(dash(), address, ["--token", TOKEN]);
      expect([code, err]).toEqual([1, expect.stringContaining(`${address} is not encrypted`)]);
    }
    const { err } = await runIn(dash(), "http://127.example.invalid", ["--token", TOKEN, "--allow-http"]);
    expect(err).toContain("could not download http://127.example.invalid/");
  });

  it("refuses a program that is not the one whose checksum the command carries", async () => {
    const { origin } = serveDownloads();
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN, "--sha256", sha256("other")]);
    expect(err).toContain(`not ${sha256("other")}. Nothing was installed. The command is for one kind of machine`);
    expect(code).toBe(1);
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
    expect(readdirSync(at("etc"))).toEqual([]);
  });

  it("leaves nothing where the settings cannot be written", async () => {
    rmSync(at("etc"), { recursive: true });
    writeFileSync(at("etc"), "");
    const { code } = await runIn(dash(), serveDownloads().origin, ["--token", TOKEN]);
    expect(code).toBe(1);
    expect(existsSync(at("usr"))).toBe(false);
  });

  it("takes the place of a unit made by hand, and removes its state as well", async () => {
    for (const path of ["etc/systemd/system", "usr/local/bin", "var/lib/private/wakeful-agent"])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at("etc/systemd/system/wakeful-agent.service"), "[Service]\nDynamicUser=yes\n");
    writeFileSync(at("usr/local/bin/wakeful"), PROGRAM);
    symlinkSync("private/wakeful-agent", at("var/lib/wakeful-agent"));
    writeFileSync(at("var/lib/wakeful-agent/agent.json"), "{}");
    const { origin } = serveDownloads();
    const { err, code } = await runIn(dash(), origin, []);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(calls()).toStartWith("systemctl stop wakeful-agent\nuseradd ");
    expect(read("etc/systemd/system/wakeful-agent.service")).toContain("User=wakeful-agent");
    await runIn(dash(), origin, ["--uninstall"]);
    const files = readdirSync(at(""), { recursive: true }).filter((path) => lstatSync(at(String(path))).isFile());
    expect(files).toEqual([]);
    expect(readdirSync(at("var/lib"))).toEqual(["private"]);
  });

  it("says so when an agent that was started by hand goes on running", async () => {
    rmSync(at("run"), { recursive: true });
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    enrolled();
    const child = Bun.spawn(["sh", "-c", ": wakeful; sleep 60"]);
    onTestFinished(() => child.kill());
    writeFileSync(at("var/lib/wakeful-agent/status.json"), `{"process":${child.pid}}`);
    const { out } = await runIn(dash(), origin, ["--uninstall"]);
    expect(out).toContain(`still runs. Stop it: kill ${child.pid}`);
  });

  it("leaves a program that a console's service runs", async () => {
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    writeFileSync(at("etc/systemd/system/wakeful.service"), "ExecStart=/usr/local/bin/wakeful\n");
    await runIn(dash(), origin, ["--uninstall"]);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(true);
    expect(existsSync(at("etc/systemd/system/wakeful-agent.service"))).toBe(false);
  });

  it("leaves a program that was there before where it is", async () => {
    mkdirSync(at("usr/local/bin"), { recursive: true });
    writeFileSync(at("usr/local/bin/wakeful"), "the console");
    const { origin } = serveDownloads();
    await runIn(dash(), origin, ["--token", TOKEN]);
    enrolled();
    await runIn(dash(), origin, []);
    await runIn(dash(), origin, ["--uninstall"]);
    expect(existsSync(at("usr/local/bin/wakeful"))).toBe(true);
    expect(existsSync(at("etc/wakeful-agent.env"))).toBe(false);
  });
});
