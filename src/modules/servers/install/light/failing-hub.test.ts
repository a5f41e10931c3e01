import { expect, it } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readRunState } from "../../../../agent/state";
import { temporaryFolder } from "../../../../testing/agent-program";
import { makeTools, startLightAgent, until } from "../../../../testing/light-agent";
import { refusal, startFakeHub } from "../../../../testing/servers/fake-hub";

const TOKEN = "wkt_of-this-test";

it("the light agent logs a failure once, regardless of the times in its text", async () => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const curl = Bun.which("curl");
  const tools = makeTools({
    curl: `[ "$1" != --version ] || exec ${curl} --version; echo x >>${state}/tries; echo "curl: (7) Refused after $(date +%N) ms." >&2; exit 7`,
  });
  const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1"], {
    tools,
    env: { WAKEFUL_TOKEN: TOKEN },
  });
  const tries = join(state, "tries");
  await until("it tries three times", () => existsSync(tries) && statSync(tries).size >= 6);
  expect((await agent.stop()).out.match(/Cannot enroll/g)).toHaveLength(1);
});

it("the light agent asks a hub that was unreachable and then lost its data within seconds, and names what it did not store", async () => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const agent = startLightAgent(["start", "--state", state, "--server", hub.url, "--interval", "1", "--token", TOKEN]);
  await until("it reports", () => hub.reports().length > 0);
  hub.answer(() => refusal(503, "unavailable", "Try again soon."));
  const before = hub.reports().length;
  await until("it is refused three times", () => hub.reports().length >= before + 3);
  hub.answer(() => refusal(401, "unauthorized"));
  await until("it is unknown", () => readRunState(state)?.text.includes("does not know this machine's key") === true);
  const unknown = hub.reports().length;
  const not_stored = { future: 1, old: 2, same_second: 0 };
  hub.answer(() => Response.json({ success: true, accepted: 1, not_stored }));
  await until("it asks again", () => hub.reports().length > unknown);
  const { out } = await agent.stop();
  expect(out).toContain("it says: Try again soon. ");
  expect(out).toContain("asking again within seconds, later every 5 to 60 minutes.");
  expect(out).toContain("did not store 1 sample with times in the future");
  expect(out).toContain("did not store 2 samples that are older than 48 hours.");
});

it("the light agent keeps its enrollment when a new token is refused, and stops while the hub does not answer", async () => {
  const hub = startFakeHub();
  const state = temporaryFolder();
  const words = ["start", "--state", state, "--server", hub.url, "--interval", "1"];
  const first = startLightAgent([...words, "--token", TOKEN]);
  await until("it reports", () => hub.reports().length > 0);
  await first.stop();
  hub.answer(({ path }) =>
    path.endsWith("/register") ? refusal(401, "token_invalid") : Response.json({ success: true, accepted: 1 }),
  );
  const before = hub.reports().length;
  const second = startLightAgent([...words, "--token", "wkt_wrong"]);
  await until("it reports", () => hub.reports().length > before);
  await until("its status is healthy", () => readRunState(state)?.healthy === true);
  expect(readRunState(state)?.refused).toContain("the token is invalid");
  hub.answer(() => new Promise(() => {}));
  const hanging = hub.reports().length;
  await until("a report hangs", () => hub.reports().length > hanging);
  const { code, out } = await second.stop();
  expect([code, out]).toEqual([0, expect.stringContaining("kept for the next start")]);
});
