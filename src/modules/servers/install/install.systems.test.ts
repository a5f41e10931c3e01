import { describe, expect, it } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import {
  addTool,
  at,
  calls,
  enrolled,
  PROGRAM,
  prepareMachine,
  read,
  runIn,
  serveDownloads,
  setServerStatus,
  sha256,
  shells,
  TOKEN,
} from "../../../testing/installer";

prepareMachine();

/** A fake light agent, which shows the status that the fake executable shows. */
const LIGHT = PROGRAM.replace('[ "$1" = agent ] || exit 1', '[ "$1" = status ] || exit 1');
const dash = () => shells.dash!();
const ash = () => shells["BusyBox ash"]!();
const serve = (others = {}) => serveDownloads(PROGRAM, sha256(PROGRAM), { "/agent.sh": LIGHT, ...others });
const addFile = (path: string, text = "") => {
  mkdirSync(at(path.replace(/[^/]*$/, "")), { recursive: true });
  writeFileSync(at(path), text);
};
const machine = (name: string) => addTool("uname", `[ "$1" = -s ] && echo Linux || echo ${name}`);
const withoutSystemd = () => rmSync(at("run"), { recursive: true });

describe("the executable", () => {
  it("is the smallest form that the hub has and the machine can unpack", async () => {
    const name = `/downloads/wakeful-linux-${process.arch === "x64" ? "amd64" : process.arch}`;
    for (const [ending, content] of Object.entries({
      xz: Bun.spawnSync(["xz", "-c"], { stdin: new Blob([PROGRAM]) }).stdout,
      zst: Bun.zstdCompressSync(PROGRAM),
      gz: Bun.gzipSync(PROGRAM),
    })) {
      const { origin, requests } = serve({ [`${name}.${ending}`]: new Uint8Array(content) });
      const { err, code } = await runIn(dash(), origin, ["--token", TOKEN]);
      expect({ ending, err, code }).toEqual({ ending, err: "", code: 0 });
      expect(requests.at(-1)?.path).toBe(`${name}.${ending}`);
      expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
    }
  });

  it("is the uncompressed file when the compressed one is damaged", async () => {
    const name = `/downloads/wakeful-linux-${process.arch === "x64" ? "amd64" : process.arch}`;
    const { origin } = serve({ [`${name}.gz`]: Bun.gzipSync(PROGRAM).slice(0, 60) });
    expect((await runIn(ash(), origin, ["--token", TOKEN])).code).toBe(0);
    expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
  });

  it("is the one for musl where only musl is, if the command names its checksum", async () => {
    addFile("lib/ld-musl-x86_64.so.1");
    addFile("usr/lib/libstdc++.so.6");
    machine("x86_64");
    const musl = `${PROGRAM}# musl\n`;
    const { origin } = serve({ "/downloads/wakeful-linux-amd64-musl": musl });
    const words = ["--token", TOKEN, "--sha256", sha256(PROGRAM)];
    const refused = await runIn(ash(), origin, words);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Nothing was installed.")]);
    const { err, code } = await runIn(ash(), origin, [...words, "--sha256", sha256(musl)]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(read("usr/local/bin/wakeful")).toBe(musl);
    addFile("lib64/ld-linux-x86-64.so.2");
    enrolled();
    await runIn(ash(), origin, []);
    expect(read("usr/local/bin/wakeful")).toBe(PROGRAM);
  });
});

describe("the light agent", () => {
  it("is installed with --light, stays at an update, and is replaced with --executable", async () => {
    const { origin } = serve();
    const { out, err, code } = await runIn(dash(), origin, ["--token", TOKEN, "--light"]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    expect(out).toContain("The agent runs and reports");
    expect(read("usr/local/bin/wakeful-agent")).toBe(LIGHT);
    expect(statSync(at("usr/local/bin/wakeful-agent")).mode & 0o777).toBe(0o755);
    expect(read("etc/systemd/system/wakeful-agent.service")).toContain(
      "ExecStart=/usr/local/bin/wakeful-agent start\n",
    );
    enrolled();
    await runIn(dash(), origin, []);
    expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful-agent"]);
    await runIn(dash(), origin, ["--executable"]);
    expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful"]);
    await runIn(dash(), origin, ["--light"]);
    expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful-agent"]);
    await runIn(dash(), origin, ["--uninstall"]);
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
  });

  it("is installed where the executable does not fit, and the reason is shown", async () => {
    const cases: [prepare: () => void, reason: string][] = [
      [() => machine("armv7l"), "there is no executable for Linux on armv7l"],
      [
        () =>
          addTool(
            "df",
            "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on\nx 500000 400000 100000 80% /'",
          ),
        "less than 200 MB are free",
      ],
      [() => addFile("proc/meminfo", "MemTotal:          64000 kB\n"), "less than 96 MB of memory"],
      [() => addFile("lib/ld-musl-x86_64.so.1"), "needs libstdc++"],
    ];
    for (const [prepare, reason] of cases) {
      machine("x86_64");
      addTool("df", "exit 1");
      prepare();
      const { out, code } = await runIn(dash(), serve().origin, ["--token", TOKEN]);
      expect([code, out]).toEqual([0, expect.stringContaining(`The light agent is installed: `)]);
      expect(out).toContain(reason);
      expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful-agent"]);
      rmSync(at("usr"), { recursive: true });
      for (const path of ["proc", "lib"]) rmSync(at(path), { recursive: true, force: true });
    }
  });

  it("is installed when the downloaded executable does not run", async () => {
    const { origin } = serveDownloads("#!/bin/sh\nexit 3\n", undefined, { "/agent.sh": LIGHT });
    const { out, code } = await runIn(dash(), origin, ["--token", TOKEN]);
    expect([code, out]).toEqual([0, expect.stringContaining("The light agent is installed: the downloaded program")]);
    expect(readdirSync(at("usr/local/bin"))).toEqual(["wakeful-agent"]);
  });

  it("is refused where the command names checksums without its own", async () => {
    const { origin } = serve();
    const words = ["--token", TOKEN, "--light", "--sha256", sha256(PROGRAM)];
    const { err, code } = await runIn(dash(), origin, words);
    expect([code, err]).toEqual([1, expect.stringContaining("it names the light agent, too.")]);
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
    expect((await runIn(dash(), origin, [...words, "--sha256", sha256(LIGHT)])).code).toBe(0);
    expect(read("usr/local/bin/wakeful-agent")).toBe(LIGHT);
  });

  it("is refused with a wrong checksum", async () => {
    const { origin } = serve({ "/agent.sh.sha256": sha256("other") });
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN, "--light"]);
    expect([code, err]).toEqual([1, expect.stringContaining("is damaged or was tampered with")]);
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
  });
});

describe("without systemd", () => {
  it("an OpenRC service is installed and removed", async () => {
    withoutSystemd();
    mkdirSync(at("etc/init.d"));
    addTool("rc-service", `echo "rc-service $*" >>"${at("../calls")}"`);
    addTool("rc-update", `echo "rc-update $*" >>"${at("../calls")}"`);
    const { origin } = serve();
    const { err, code } = await runIn(ash(), origin, ["--token", TOKEN]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const init = read("etc/init.d/wakeful-agent");
    expect(init).toContain('command="/usr/local/bin/wakeful"\ncommand_args="agent start"');
    expect(init).not.toContain(TOKEN);
    expect(statSync(at("etc/init.d/wakeful-agent")).mode & 0o777).toBe(0o755);
    expect(Bun.spawnSync(["sh", "-n", at("etc/init.d/wakeful-agent")]).exitCode).toBe(0);
    expect(calls()).toEndWith("rc-update -q add wakeful-agent default\nrc-service wakeful-agent restart\n");
    enrolled();
    await runIn(ash(), origin, ["--light"]);
    expect(read("etc/init.d/wakeful-agent")).toContain('command="/usr/local/bin/wakeful-agent"\ncommand_args="start"');
    await runIn(ash(), origin, ["--uninstall"]);
    expect(calls()).toContain("rc-service wakeful-agent stop\nrc-update -q del wakeful-agent default\n");
    expect(existsSync(at("etc/init.d/wakeful-agent"))).toBe(false);
    expect(existsSync(at("usr/local/bin/wakeful-agent"))).toBe(false);
  });

  it("a line of cron starts the agent each minute unless it runs or ended for good", async () => {
    withoutSystemd();
    writeFileSync(at("../crontab"), "0 4 * * * backup\n");
    const { origin } = serve();
    const { err, code } = await runIn(dash(), origin, ["--token", TOKEN]);
    expect({ err, code }).toEqual({ err: "", code: 0 });
    const watch = at("usr/local/bin/wakeful-agent-watch");
    const line = "* * * * * /usr/local/bin/wakeful-agent-watch\n";
    expect(await Bun.file(at("../crontab")).text()).toBe(`0 4 * * * backup\n${line}`);
    const run = () => Bun.spawnSync([watch], { env: { PATH: `${at("../tools")}:/usr/bin:/bin` } }).exitCode;
    const starts = () => calls().match(/^su .*$/gm) ?? [];
    // The script starts it, and does not wait for it to end.
    while (!existsSync(at("var/lib/wakeful-agent/ended"))) await Bun.sleep(10);
    // Root writes nothing into the agent's folder, where a link could lead it to another file.
    expect(starts()).toEqual([
      `su -s /bin/sh wakeful-agent -c exec ${at("usr/local/bin/wakeful")} agent start`,
      'su -s /bin/sh wakeful-agent -c : >"$WAKEFUL_STATE/ended"',
    ]);
    // The fake agent ended with 78.
    expect([run(), starts().length]).toEqual([0, 2]);
    rmSync(at("var/lib/wakeful-agent/ended"));
    const child = Bun.spawn(["sh", "-c", ": wakeful; sleep 60"]);
    writeFileSync(at("var/lib/wakeful-agent/status.json"), `{"process":${child.pid}}`);
    expect([run(), starts().length]).toEqual([0, 2]);
    child.kill();
    await child.exited;
    expect([run(), starts().length]).toEqual([0, 4]);

    enrolled();
    await runIn(dash(), origin, []);
    expect(await Bun.file(at("../crontab")).text()).toBe(`0 4 * * * backup\n${line}`);
    await runIn(dash(), origin, ["--uninstall"]);
    expect(await Bun.file(at("../crontab")).text()).toBe("0 4 * * * backup\n");
    expect(readdirSync(at("usr/local/bin"))).toEqual([]);
    expect(existsSync(at("var/lib/wakeful-agent"))).toBe(false);
  });
});

describe("--auto-update", () => {
  it("makes a daily timer that runs the update as root, and removes it with the executable", async () => {
    const { origin } = serve();
    const { out, code } = await runIn(dash(), origin, ["--token", TOKEN, "--auto-update"]);
    expect([code, out]).toEqual([0, expect.stringContaining("signed update each day")]);
    const folder = "etc/systemd/system/wakeful-agent-update";
    expect(read(`${folder}.service`)).toContain("ExecStart=/usr/local/bin/wakeful agent update\n");
    expect(read(`${folder}.timer`)).toContain("OnCalendar=daily\nRandomizedDelaySec=4h\n");
    expect(calls()).toEndWith("systemctl enable --quiet --now wakeful-agent-update.timer\n");
    enrolled();
    await runIn(dash(), origin, ["--light"]);
    expect(readdirSync(at("etc/systemd/system"))).toEqual(["wakeful-agent.service"]);
    expect(calls()).toContain("systemctl disable --quiet --now wakeful-agent-update.timer\n");
  });

  it("says why it stays off", async () => {
    const { out } = await runIn(dash(), serve().origin, ["--token", TOKEN, "--light", "--auto-update"]);
    expect(out).toContain("--auto-update needs systemd and the executable");
    setServerStatus("0\n");
    addFile("usr/local/bin/none");
    const unsigned = PROGRAM.replace(
      "sed 1d",
      '[ "$2" != update ] || { echo "wakeful agent: no key" >&2; exit 78; }\nsed 1d',
    );
    const { origin } = serveDownloads(unsigned);
    const answer = await runIn(dash(), origin, ["--token", TOKEN, "--executable", "--auto-update"]);
    expect(answer.out).toContain("Updates stay off: no key");
    expect(existsSync(at("etc/systemd/system/wakeful-agent-update.timer"))).toBe(false);
  });
});
