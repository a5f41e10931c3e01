import { expect, it, onTestFinished } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countWaiting } from "../../../../agent/send/sample-queue";
import { readEnrollment, readRunState } from "../../../../agent/state";
import { statusOf } from "../../../../commands/agent";
import type { Report } from "../../../../shared/agents/report";
import { temporaryFolder } from "../../../../testing/agent-program";
import { makeTools, shells, startLightAgent, until } from "../../../../testing/light-agent";
import { makeCertificate } from "../../../../testing/servers/certificates";
import { KEY, refusal, startFakeHub } from "../../../../testing/servers/fake-hub";

const TOKEN = "wkt_of-this-test";

/** Scenarios that the test at the end of this file runs concurrently, because they mostly wait. */
const scenarios: Record<string, () => Promise<void>> = {};
const alone = (name: string, test: () => Promise<void>) => {
  scenarios[name] = test;
};
const under = (names: string[], name: string, test: (shell: string) => Promise<void>) => {
  for (const shell of names) alone(`${name}, under ${shell}`, () => test(shell));
};

// Every shell runs the most of the script here; the scenarios after it run under two each, because agents take much time.
under(
  Object.keys(shells),
  "enrolls once, reports, stops when asked, and starts again without the token",
  async (shell) => {
    const hub = startFakeHub();
    const state = join(temporaryFolder(), "state");
    const first = startLightAgent(["start", "--state", state, "--interval", "1", "--name", 'web "1"'], {
      shell,
      env: { WAKEFUL_SERVER: hub.url, WAKEFUL_TOKEN: TOKEN },
    });
    await until("it reports the disks", () => hub.reports().some(({ samples }) => samples[0]?.disks?.length));
    const { code, out, err } = await first.stop();
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).not.toContain(TOKEN);
    // The hub of this process may answer too late to the last report, whose sample is kept then.
    const kept = countWaiting(state);
    expect(out).toContain(kept === 0 ? "Stopped. Everything is sent." : `Stopped. ${kept} sample`);
    expect(hub.seen[0]?.body).toMatchObject({ token: TOKEN, name: 'web "1"' });
    expect(hub.seen[0]?.body.machine_id).toMatch(/^[\w-]{43}$/);
    expect(hub.reports()[0]).toMatchObject({
      interval: 1,
      agent_kind: "light",
      samples: [{ cpu: null, network: null }],
    });
    const { sent_at, boot_time, boot, samples } = hub.reports().find(({ samples }) => samples[0]?.traffic) as Report;
    expect(Math.abs(Date.parse(sent_at as string) - Date.now())).toBeLessThan(60_000);
    expect([boot_time, boot]).toEqual([samples[0]?.boot_time, samples[0]?.traffic?.boot]);
    // The executable can go on from here, and the other way round.
    expect(readEnrollment(state)).toMatchObject({ server: hub.url, agent: 7, key: KEY });
    expect(readRunState(state)).toMatchObject({ healthy: true, text: "stopped" });
    expect(readFileSync(join(state, "secret"), "utf8").trim()).toBe(hub.seen[0]?.body.machine_id as string);
    const files = ["agent.json", "client", ...(kept > 0 ? ["samples"] : []), "secret", "status.json"];
    expect(readdirSync(state).toSorted()).toEqual(files);
    for (const name of readdirSync(state)) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);

    const before = hub.reports().length;
    const second = startLightAgent(["start", `--state=${state}`, "--interval=1"], { shell });
    await until("it reports again", () => hub.reports().length > before);
    await until("its status is healthy", () => readRunState(state)?.healthy === true);
    const status = await startLightAgent(["status", "--state", state], { shell }).ended();
    expect(status).toEqual({ code: 0, err: "", out: `${statusOf(state, () => true).lines.join("\n")}\n` });
    expect((await second.stop("SIGINT")).code).toBe(0);
    expect(hub.seen.filter(({ path }) => path.endsWith("/register"))).toHaveLength(1);
    expect((await startLightAgent(["status", "--state", state], { shell }).ended()).code).toBe(1);
  },
);

under(["bash", "BusyBox ash"], "sends what it measured while the hub was down, also after a crash", async (shell) => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const words = ["start", "--state", state, "--server", hub.url, "--interval", "1"];
  const agent = startLightAgent([...words, "--token", TOKEN], { shell });
  await until("it reports", () => hub.reports().length > 0);
  // Shells take numbers with leading zeros for octal ones, and end where they are not.
  hub.answer(() => refusal(500, "internal", "Something went wrong.", { "retry-after": "08" }));
  await until("samples wait on disk", () => countWaiting(state) >= 1);
  await until("its status says why", () => readRunState(state)?.text.includes("Something went wrong") === true);
  agent.child.kill("SIGKILL");
  await agent.child.exited;
  const kept = countWaiting(state);
  const again = startLightAgent(words, { shell });
  await until("more samples wait", () => countWaiting(state) > kept);
  expect(await again.stop()).toMatchObject({ code: 0, out: expect.stringMatching(/Stopped\. \d+ samples kept/) });
  const [waiting, before] = [countWaiting(state), hub.times().length];
  hub.answer();
  const last = startLightAgent(words, { shell });
  await until("all is sent", () => !existsSync(join(state, "samples")));
  expect((await last.stop()).code).toBe(0);
  const times = hub.times().slice(before);
  expect(times.length).toBeGreaterThanOrEqual(waiting);
  expect(times).toEqual(times.toSorted());
});

under(["dash", "mksh"], "ends when its first token is refused, and when its server was deleted", async (shell) => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const words = ["start", "--state", state, "--server", hub.url, "--interval", "1", "--token", TOKEN];
  hub.answer(() => refusal(401, "token_used"));
  const refused = await startLightAgent(words, { shell }).ended();
  expect([refused.code, refused.err]).toEqual([78, expect.stringContaining("the token is used")]);
  hub.answer();
  const agent = startLightAgent(words, { shell });
  await until("it reports", () => hub.reports().length > 0);
  hub.answer(() => refusal(401, "agent_deleted"));
  const { code, err } = await agent.ended();
  expect([code, err]).toEqual([78, expect.stringMatching(/^wakeful agent: This server was deleted at .*\n$/)]);
});

alone("takes only digits for its number", async () => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  hub.answer(() => Response.json({ success: true, agent: { id: "7\\", key: KEY }, accepted: 1 }));
  const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1", "--token", TOKEN]);
  await until("it reports", () => hub.reports().length > 0);
  expect((await agent.stop()).code).toBe(0);
  expect(readEnrollment(state)).toMatchObject({ agent: 7, key: KEY });
});

alone("keeps samples in memory while the file cannot be written", async () => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1", "--token", TOKEN]);
  await until("it reports", () => hub.reports().length > 0);
  mkdirSync(join(state, "samples"));
  hub.answer(() => refusal(503, "unavailable", "Later.", { "retry-after": "2" }));
  const before = hub.reports().length;
  await until("it is refused twice", () => hub.reports().length >= before + 2);
  rmdirSync(join(state, "samples"));
  hub.answer();
  await until("they are sent", () => hub.reports().some(({ samples }) => samples.length > 1));
  expect((await agent.stop()).out).toContain("are kept in memory");
  expect(existsSync(join(state, "samples"))).toBe(false);
});

alone("shows neither the token nor the key in the arguments of any program", async () => {
  const note = (name: string) => `echo "$0 $*" >>"$NOTES"; exec ${Bun.which(name)} "$@"`;
  const clients = { curl: makeTools({ curl: note("curl") }), wget: makeTools({ wget: note("wget"), curl: "exit 1" }) };
  const watch = async ([name, tools]: [string, string]) => {
    const hub = startFakeHub();
    const notes = join(temporaryFolder(), "notes");
    const agent = startLightAgent(["start", "--state", temporaryFolder(), "--server", hub.url, "--interval", "1"], {
      tools,
      env: { NOTES: notes, WAKEFUL_TOKEN: TOKEN },
    });
    await until(`it reports by ${name}`, () => hub.reports().length > 0);
    const header = 'Bearer error="invalid_token", error_description="agent_deleted"';
    hub.answer(() => refusal(401, "agent_deleted", "No.", { "www-authenticate": header }));
    expect((await agent.ended()).code).toBe(78);
    expect(readFileSync(notes, "utf8")).toContain(`${name} `);
    expect(readFileSync(notes, "utf8")).not.toMatch(/wkt_|wka_|Bearer/);
  };
  await Promise.all(Object.entries(clients).map(watch));
});

alone("reports over TLS by curl and by GNU wget, and to no hub whose certificate it does not know", async () => {
  const certificate = makeCertificate({ name: "localhost", days: 2 });
  const ca = join(temporaryFolder(), "ca.pem");
  writeFileSync(ca, certificate.cert);
  const real = { curl: Bun.which("curl"), wget: Bun.which("wget") };
  const report = async (tools: string, trusted: boolean) => {
    const hub = startFakeHub(0, certificate);
    const state = temporaryFolder();
    const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1"], {
      tools,
      env: { WAKEFUL_TOKEN: TOKEN },
    });
    if (trusted) await until("it reports", () => hub.reports().length > 0);
    else
      await until("its status says why", () => /yet: [A-Z].*certificate.*[^.]$/i.test(readRunState(state)?.text ?? ""));
    expect((await agent.stop()).code).toBe(0);
    expect(hub.seen.length > 0).toBe(trusted);
  };
  await Promise.all([
    report(makeTools({ curl: `exec ${real.curl} --cacert ${ca} "$@"` }), true),
    report(makeTools({ curl: "exit 1", wget: `exec ${real.wget} --ca-certificate=${ca} "$@"` }), true),
    report(makeTools({ wget: "exit 1" }), false),
    report(makeTools({ curl: "exit 1" }), false),
  ]);
});

/** Mounts a disk of 64 KB, or answers null where that is not allowed. */
const mountSmallDisk = (): string | null => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-disk-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder]).success;
  onTestFinished(() => {
    if (mounted) Bun.spawnSync(["umount", "-l", folder]);
    rmSync(folder, { recursive: true });
  });
  return mounted ? folder : null;
};

alone(
  "keeps samples in memory while its disk is full, and sends nothing that is cut short, by curl and by wget",
  async () => {
    const fill = async (tools: string) => {
      const state = mountSmallDisk();
      if (state === null) return console.warn("No disk can be mounted here, so a full one was not tried.");
      const hub = startFakeHub();
      const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1"], {
        tools,
        env: { WAKEFUL_TOKEN: TOKEN },
      });
      await until("it reports", () => hub.reports().length > 0);
      hub.answer(() => refusal(503, "unavailable", "Later."));
      const filler = join(state, "filler");
      Bun.spawnSync(["dd", "if=/dev/zero", `of=${filler}`, "bs=1k"]);
      const before = hub.times().length;
      await until("it tries to keep samples on the disk", () => existsSync(join(state, "samples")));
      rmSync(filler);
      hub.answer();
      await until("they are sent", () => hub.times().length >= before + 2);
      await until("its status is healthy", () => readRunState(state)?.healthy === true);
      const { code, out } = await agent.stop();
      expect([code, out.includes("refused")]).toEqual([0, false]);
    };
    await Promise.all([fill(makeTools({})), fill(makeTools({ curl: "exit 1" }))]);
  },
);

alone("goes on when the clock is set back by an hour", async () => {
  const hub = startFakeHub();
  const mark = join(temporaryFolder(), "back");
  const date = `[ -e ${mark} ] && exec ${Bun.which("date")} -d '1 hour ago' "$@"; exec ${Bun.which("date")} "$@"`;
  const agent = startLightAgent(["start", "--state", temporaryFolder(), "--server", hub.url, "--interval", "1"], {
    tools: makeTools({ date }),
    env: { WAKEFUL_TOKEN: TOKEN },
  });
  await until("it reports", () => hub.times().length > 1);
  writeFileSync(mark, "");
  const first = Date.parse(hub.times()[0] as string);
  await until("it reports earlier times", () => hub.times().filter((at) => Date.parse(at) < first).length > 1);
  expect((await agent.stop()).out).toContain("Everything is sent.");
});

const run = async ([name, scenario]: [string, () => Promise<void>]) =>
  scenario().catch((error) => {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  });
it("the light agent passes every scenario, run at the same time", async () => {
  await Promise.all(Object.entries(scenarios).map(run));
});

it("the light agent refuses https without a client that checks certificates", async () => {
  const words = ["start", "--state", temporaryFolder(), "--server", "https://127.0.0.1:9", "--token", TOKEN];
  const { code, err } = await startLightAgent(words, { shell: "BusyBox ash" }).ended();
  expect([code, err]).toEqual([78, expect.stringContaining("curl, or GNU wget with TLS, is needed")]);
});

for (const shell of ["posh", "ksh93"])
  it(`does not use up its token under ${shell}, which cannot run it`, async () => {
    const hub = startFakeHub();
    const words = ["start", "--state", temporaryFolder(), "--server", hub.url, "--token", TOKEN];
    const { code, err } = await startLightAgent(words, { shell }).ended();
    expect([code, err]).toEqual([78, expect.stringContaining("this shell can't run the agent")]);
    expect(hub.seen).toEqual([]);
  });

it("the light agent names a wrong option without starting", async () => {
  for (const [words, message] of [
    [["start", "--interval", "0"], "--interval"],
    [["start", "--interval", "86401"], "--interval"],
    [["start", "--server", "ftp://a"], "--server is"],
    [["start", "--server", 'http://a"b'], "--server holds"],
    [["start", "--server"], "--server needs a value"],
    [["start", "--dance", "1"], "no option"],
    [["start", "--state", temporaryFolder()], "--server"],
    [["start", "--state", temporaryFolder(), "--server", "http://127.0.0.1:9"], "--token"],
    [["start", "--state", temporaryFolder(), "--server", "http://127.0.0.1:9", "--token", 'a"b'], "no token"],
    [["dance"], "usage: agent.sh"],
  ] as const) {
    const { code, err } = await startLightAgent([...words]).ended();
    expect([code, err]).toEqual([78, expect.stringContaining(message)]);
  }
});
