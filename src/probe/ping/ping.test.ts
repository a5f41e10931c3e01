import { describe, expect, it, onTestFinished } from "bun:test";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../core/log";
import { systemClock } from "../../lib/time";
import { type CheckErrorCode, checkError } from "../../shared/check-error";
import { until } from "../../testing/clock";
import { targetOf } from "../../testing/servers/target-of";
import { createSystemDns } from "../dns/system-dns";
import { LocalFailure } from "../local-failure";
import { createOutbound } from "../outbound";
import { type PingTarget, probePing } from "./ping";
import { createPinger } from "./pinger";
import { dialectsOf } from "./program";

const { caller } = targetOf({ url: "http://unused.example/" });
const missing = new LocalFailure("ping");

const statistics = (received: number) => `--- h ping statistics ---
3 packets transmitted, ${received} received, ${received ? 0 : 100}% packet loss, time 402ms
${received ? "rtt min/avg/max/mdev = 1.000/2.345/4.000/0.100 ms" : ""}`;
const answers = `cat <<'END'\n${statistics(3)}\nEND`;

/** A shell script in place of the ping program, and a pinger that runs it. */
const install = (script: string) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-ping-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "ping");
  const write = (text: string) => {
    writeFileSync(path, `#!/bin/sh\nhere=${folder}\n${text}\n`);
    chmodSync(path, 0o755);
  };
  write(script);
  const time = { now: 0 };
  const find = () => (existsSync(path) ? path : null);
  const pinger = createPinger({ find, platform: "linux", now: () => time.now });
  return { pinger, write, time, folder, path };
};

const outboundWith = (pinger: ReturnType<typeof createPinger>) =>
  createOutbound(
    { clock: systemClock, log: createLog("silent", false, () => {}) },
    { ...createSystemDns(), lookup: async () => [{ address: "2001:db8::7", ttl: 60 }] },
    { pinger },
  );

const probe = (pinger: ReturnType<typeof createPinger>, fields: Partial<PingTarget> = {}) =>
  probePing({ host: "192.0.2.1", count: 3, timeout: 5, caller, ...fields }, outboundWith(pinger));

describe("a ping probe", () => {
  it("is up when an answer arrived, with their average time", async () => {
    const outcome = await probe(install(answers).pinger);
    expect(outcome).toMatchObject({ up: true, responseTime: 2.3, error: null, address: "192.0.2.1", statusCode: null });
  });

  it("is down when none of its packets was answered, with the answer of a router or the system if there is one", async () => {
    const lost = { up: false, responseTime: null, error: checkError("ping_lost", { count: 3 }) };
    const { pinger, write } = install(answers);
    await pinger.isAvailable();
    write(`cat <<'END'\n${statistics(0)}\nEND\nexit 1`);
    expect(await probe(pinger)).toMatchObject(lost);
    const said: [line: string, code: CheckErrorCode][] = [
      ["From 10.9.0.1 icmp_seq=1 Destination Host Unreachable", "unreachable_host"],
      ["From fd00:9::1 icmp_seq=1 Destination unreachable: Address unreachable", "unreachable_host"],
      ["From 10.9.0.1 icmp_seq=1 Destination Net Unreachable", "unreachable_network"],
      ["From fd00:9::1 icmp_seq=1 Destination unreachable: No route", "unreachable_network"],
      ["From 10.9.0.1 icmp_seq=1 Packet filtered", "unreachable_prohibited"],
      ["From fd00:9::1 icmp_seq=1 Destination unreachable: Administratively prohibited", "unreachable_prohibited"],
      ["From 10.9.0.1 icmp_seq=1 Time to live exceeded", "unreachable_hops"],
      ["From fd00:9::1 icmp_seq=1 Time exceeded: Hop limit", "unreachable_hops"],
    ];
    for (const [line, code] of said) {
      write(`cat <<'END'\n${line}\n\n${statistics(0)}\nEND\nexit 1`);
      expect(await probe(pinger)).toMatchObject({ ...lost, error: checkError(code as "refused") });
    }
    const local: [line: string, code: CheckErrorCode][] = [
      ["connect: Network is unreachable", "unreachable_network"],
      ["Do you want to ping broadcast? Then -b.", "unreachable_prohibited"],
    ];
    for (const [line, code] of local) {
      write(`echo 'ping: ${line}' >&2; exit 2`);
      expect(await probe(pinger)).toMatchObject({ ...lost, error: checkError(code as "refused") });
    }
  });

  it("has the share of lost packets, and is slow when it exceeds the limit", async () => {
    const { pinger, write } = install(answers);
    expect(await probe(pinger, { maxLoss: 0 })).toMatchObject({ slow: false, slowLimit: 0, slowCode: "ping_loss" });
    write(`cat <<'END'\n${statistics(2)}\nEND`);
    const third = { up: true, packetLoss: 33.3 };
    expect(await probe(pinger)).toMatchObject(third);
    expect((await probe(pinger)).slow).toBeUndefined();
    expect(await probe(pinger, { maxLoss: 33 })).toMatchObject({ ...third, slow: true });
    expect(await probe(pinger, { maxLoss: 34 })).toMatchObject({ ...third, slow: false });
    write(`cat <<'END'\n${statistics(0)}\nEND\nexit 1`);
    expect(await probe(pinger, { maxLoss: 0 })).toMatchObject({ up: false, packetLoss: 100 });
  });

  it("runs the program with arguments only, at the address of the name, in an environment of its own", async () => {
    const { pinger, folder } = install(`printf '%s\\n' "$@" >"$here/args"; env >"$here/env"; ${answers}`);
    expect(await probe(pinger, { host: "host.example", count: 2, timeout: 2 })).toMatchObject({
      address: "2001:db8::7",
    });
    const read = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");
    expect(read("args")).toEqual(["-n", "-c", "2", "-i", "0.2", "-W", "2", "--", "2001:db8::7"]);
    const names = read("env").map((line) => line.split("=")[0] ?? "");
    expect(names.filter((name) => !["PWD", "SHLVL", "_"].includes(name))).toEqual(["LC_ALL"]);
  });

  it("never takes a name for an option or a command", async () => {
    const { pinger, folder } = install(`touch "$here/ran"; ${answers}`);
    const outbound = createOutbound(
      { clock: systemClock, log: createLog("silent", false, () => {}) },
      { ...createSystemDns(), lookup: async () => [] },
      { pinger },
    );
    for (const host of ["-c1", "$(reboot)", "a;reboot", "-h.example"]) {
      const outcome = await probePing(
        { host, count: 1, timeout: 5, caller: { ...caller, allowPrivate: false } },
        outbound,
      );
      expect(outcome.up).toBe(false);
    }
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("sends nothing to a private address for a caller who may reach public ones only", async () => {
    const { pinger, folder } = install(`touch "$here/ran"; ${answers}`);
    const user = { ...caller, allowPrivate: false };
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "169.254.169.254", "::1"])
      expect((await probe(pinger, { host, caller: user })).error).toEqual(checkError("blocked_private"));
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  it("is a local failure when the program is missing, fails or prints something else", async () => {
    const { pinger, path, write } = install(answers);
    expect(await pinger.isAvailable()).toBe(true);
    for (const script of ["exit 0", "echo 'ping: socket: Operation not permitted' >&2; exit 2", "echo up"]) {
      write(script);
      expect(await probe(pinger).catch((error) => error)).toEqual(missing);
    }
    rmSync(path);
    expect(await probe(pinger).catch((error) => error)).toEqual(missing);
    expect(await pinger.isAvailable()).toBe(false);
  });

  it("is a local failure when the program hangs, which is killed with what it started", async () => {
    const { pinger, write, folder } = install(answers);
    await pinger.isAvailable();
    write(`trap '' INT; sleep 300 & echo $! >"$here/child"; wait; wait; sleep 300`);
    expect(await probe(pinger, { count: 1, timeout: 1 }).catch((error) => error)).toEqual(missing);
    const child = readFileSync(join(folder, "child"), "utf8").trim();
    // A killed process stays in the table until its new parent reads its status.
    const isGone = async () => {
      const stat = await Bun.file(`/proc/${child}/stat`)
        .text()
        .catch(() => ") Z");
      return / Z/.test(stat.slice(stat.lastIndexOf(")")));
    };
    if (process.platform === "linux") await until(isGone, "the child to be killed");
  });

  it("is a local failure when the program prints without end", async () => {
    const { pinger, write } = install(answers);
    await pinger.isAvailable();
    write("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done");
    expect(await probe(pinger, { count: 1, timeout: 1 }).catch((error) => error)).toEqual(missing);
  });

  it("takes what a program printed when it was asked to end", async () => {
    const { pinger, write } = install(answers);
    await pinger.isAvailable();
    write(`trap '${answers.replaceAll("'", "")}\nexit 0' INT; while :; do sleep 0.1; done`);
    expect((await probe(pinger, { count: 1, timeout: 2 })).up).toBe(true);
  });
});

describe("the ping program", () => {
  it("is tried once for all callers, and looked for again a minute after it was missing", async () => {
    const { pinger, folder, time, write, path } = install("");
    rmSync(path);
    expect(await Promise.all([pinger.isAvailable(), pinger.isAvailable()])).toEqual([false, false]);
    write(`echo x >>"$here/runs"; ${answers}`);
    expect(await pinger.isAvailable()).toBe(false);
    time.now += 60_000;
    expect(await Promise.all([pinger.isAvailable(), pinger.isAvailable()])).toEqual([true, true]);
    expect(await pinger.isAvailable()).toBe(true);
    expect(readFileSync(join(folder, "runs"), "utf8")).toBe("x\n");
  });

  it("is run at most 64 times at once", async () => {
    const { pinger, write, folder } = install(answers);
    await pinger.isAvailable();
    const go = join(folder, "go");
    Bun.spawnSync(["mkfifo", go]);
    // Each program waits for a writer without using the processor.
    write(`echo x >>"$here/begun"; : <"$here/go"; ${answers}`);
    const running = Array.from({ length: 70 }, () => pinger.echo({ address: "192.0.2.1", count: 1, wait: 30 }));
    const begun = () =>
      existsSync(join(folder, "begun")) ? readFileSync(join(folder, "begun"), "utf8").length / 2 : 0;
    await until(async () => begun() === 64, "64 programs to run");
    const writer = openSync(go, "w");
    expect((await Promise.all(running)).every(({ received }) => received === 3)).toBe(true);
    expect(begun()).toBe(70);
    closeSync(writer);
  });

  it("without fractions of a second is run in its own way", async () => {
    const { pinger, folder } = install(
      `case "$*" in *" 0.2 "*) echo "ping: invalid number '0.2'" >&2; exit 1;; esac; echo "$@" >"$here/args"
echo '3 packets transmitted, 2 packets received, 33% packet loss'
echo 'round-trip min/avg/max = 0.045/0.055/0.064 ms'`,
    );
    expect(await pinger.echo({ address: "192.0.2.1", count: 3, wait: 2 })).toEqual({
      sent: 3,
      received: 2,
      average: 0.055,
    });
    expect(readFileSync(join(folder, "args"), "utf8").trim()).toBe("-q -c 3 -W 2 -- 192.0.2.1");
  });
});

describe("the output", () => {
  const request = { address: "192.0.2.1", count: 3, wait: 4 };
  const parse = (platform: string, output: string) => dialectsOf(platform)[0]?.parse(output, request);

  it("of iputils is read with duplicates, errors and without times", () => {
    const line = (rest: string) =>
      parse("linux", `PING\n\n3 packets transmitted, ${rest}, 0% packet loss, time 400ms\n`);
    expect(line("3 received, +3 duplicates")).toEqual({ sent: 3, received: 3, average: null });
    expect(line("0 received, +3 errors")).toEqual({ sent: 3, received: 0, average: null });
    expect(parse("linux", "rtt min/avg/max/mdev = 1/2/3/0 ms")).toBeNull();
    expect(parse("linux", statistics(2))).toEqual({ sent: 3, received: 2, average: 2.345 });
  });

  it("of macOS is read", () => {
    const output =
      "3 packets transmitted, 3 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 0.045/0.055/0.064/0.010 ms\n";
    expect(parse("darwin", output)).toEqual({ sent: 3, received: 3, average: 0.055 });
    const [macos] = dialectsOf("darwin");
    expect([macos?.program("::1"), macos?.program("127.0.0.1")]).toEqual(["ping6", "ping"]);
    expect(macos?.args({ address: "192.0.2.1", count: 1, wait: 2 })).toEqual([
      "-n",
      "-c",
      "1",
      "-i",
      "0.2",
      "-W",
      "2000",
      "192.0.2.1",
    ]);
  });

  it("of Windows is read in any language, and a router's answer counts as none", () => {
    const output = [
      "Ping wird ausgeführt für 192.0.2.1 mit 32 Bytes Daten:",
      "Antwort von 192.0.2.1: Bytes=32 Zeit<1ms TTL=64",
      "Antwort von 192.0.2.1: Bytes=32 Zeit=5ms TTL=64",
      "Antwort von 10.0.0.1: Zielhost nicht erreichbar.",
      "Ping-Statistik für 192.0.2.1:",
      "    Minimum = 1ms, Maximum = 5ms, Mittelwert = 3ms",
    ].join("\r\n");
    expect(parse("win32", output)).toEqual({ sent: 3, received: 2, average: 3 });
    expect(parse("win32", "Pinging 192.0.2.1:\r\nRequest timed out.\r\n")).toEqual({
      sent: 3,
      received: 0,
      average: null,
    });
    expect(parse("win32", "Bad option -n.")).toBeNull();
  });
});
