import { describe, expect, it } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { countWaiting } from "../../../../agent/send/sample-queue";
import { readEnrollment, readRunState } from "../../../../agent/state";
import { statusOf } from "../../../../commands/agent";
import { temporaryFolder } from "../../../../testing/agent-program";
import { makeTools, shells, startLightAgent, until } from "../../../../testing/light-agent";
import { KEY, refusal, startFakeHub } from "../../../../testing/servers/fake-hub";

const TOKEN = "wkt_of-this-test";
const TIMEOUT = 60_000;

describe.each(Object.keys(shells))("under %s", (shell) => {
  it(
    "enrolls once, reports, stops when asked, and starts again without the token",
    async () => {
      const hub = startFakeHub();
      const state = join(temporaryFolder(), "state");
      const first = startLightAgent(["start", "--state", state, "--interval", "1", "--name", 'web "1"'], {
        shell,
        env: { WAKEFUL_SERVER: hub.url, WAKEFUL_TOKEN: TOKEN },
      });
      await until("it reports the disks", () =>
        hub.reports().some(({ samples }) => (samples[0]?.disks?.length ?? 0) > 0),
      );
      const { code, out, err } = await first.stop();
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).not.toContain(TOKEN);
      expect(out).toContain("Stopped. Everything is sent.");
      expect(hub.seen[0]?.body).toMatchObject({ token: TOKEN, name: 'web "1"' });
      expect(hub.seen[0]?.body.machine_id).toMatch(/^[\w-]{43}$/);
      expect(hub.reports()[0]).toMatchObject({
        interval: 1,
        agent_kind: "light",
        samples: [{ cpu: null, network: null }],
      });
      // The executable can go on from here, and the other way round.
      expect(readEnrollment(state)).toMatchObject({ server: hub.url, agent: 7, key: KEY });
      expect(readRunState(state)).toMatchObject({ healthy: true, text: "stopped" });
      expect(readFileSync(join(state, "secret"), "utf8").trim()).toBe(hub.seen[0]?.body.machine_id as string);
      expect(readdirSync(state).toSorted()).toEqual(["agent.json", "client", "secret", "status.json"]);
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
    TIMEOUT,
  );

  it(
    "sends what it measured while the hub was down, also after a crash",
    async () => {
      const hub = startFakeHub();
      const state = temporaryFolder();
      const words = ["start", "--state", state, "--server", hub.url, "--interval", "1"];
      const agent = startLightAgent([...words, "--token", TOKEN], { shell });
      await until("it reports", () => hub.reports().length > 0);
      hub.answer(() => refusal(500, "internal", "Something went wrong."));
      await until("samples wait on disk", () => countWaiting(state) >= 2);
      expect(readRunState(state)).toMatchObject({
        healthy: false,
        text: expect.stringContaining("Something went wrong"),
      });
      agent.child.kill("SIGKILL");
      await agent.child.exited;
      hub.stop();
      const again = startLightAgent(words, { shell });
      await until("more samples wait", () => countWaiting(state) >= 3);
      expect(await again.stop()).toMatchObject({ code: 0, out: expect.stringMatching(/Stopped\. \d+ samples kept/) });
      const waiting = countWaiting(state);

      const back = startFakeHub(hub.port);
      const last = startLightAgent(words, { shell });
      await until("all is sent", () => !existsSync(join(state, "samples")));
      expect((await last.stop()).code).toBe(0);
      expect(back.times().length).toBeGreaterThanOrEqual(waiting);
      expect(back.times()).toEqual(back.times().toSorted());
    },
    TIMEOUT,
  );

  it(
    "ends when its first token is refused or its server was deleted, and stops while the hub does not answer",
    async () => {
      const hub = startFakeHub();
      const state = temporaryFolder();
      const words = ["start", "--state", state, "--server", hub.url, "--interval", "1", "--token", TOKEN];
      hub.answer(() => refusal(401, "token_used"));
      const refused = await startLightAgent(words, { shell }).ended();
      expect([refused.code, refused.err]).toEqual([78, expect.stringContaining("was used already")]);
      hub.answer();
      const agent = startLightAgent(words, { shell });
      await until("it reports", () => hub.reports().length > 0);
      hub.answer(() => new Promise(() => {}));
      const before = hub.reports().length;
      await until("a report hangs", () => hub.reports().length > before);
      expect(await agent.stop()).toMatchObject({ code: 0, out: expect.stringContaining("kept for the next start") });
      hub.answer(() => refusal(401, "agent_deleted", "No.", { "www-authenticate": 'Bearer error="agent_deleted"' }));
      const { code, err } = await startLightAgent(words, { shell }).ended();
      expect([code, err]).toEqual([78, expect.stringMatching(/^wakeful agent: This server was deleted at .*\n$/)]);
    },
    TIMEOUT,
  );
});
