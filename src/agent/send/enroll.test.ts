import { expect, it } from "bun:test";
import { createSleepyTime, IDENTITY } from "../../testing/agent-program";
import { KEY, refusal, startFakeHub } from "../../testing/servers/fake-hub";
import { FatalError } from "../state";
import { enroll, tokenHash } from "./enroll";

const REGISTRATION = { ...IDENTITY, token: "wkt_secret", machine_id: "abc" };

const enrolAt = async (server: string) => {
  const said: string[] = [];
  const time = createSleepyTime();
  const stop = new AbortController();
  const enrolling = enroll({
    server,
    registration: REGISTRATION,
    time,
    log: (text) => said.push(text),
    signal: stop.signal,
  });
  return { said, time, stop, enrolling };
};

it("exchanges the token for a key", async () => {
  const console = startFakeHub();
  const { enrolling, said } = await enrolAt(console.url);
  expect(await enrolling).toEqual({ server: console.url, agent: 7, key: KEY, token: tokenHash("wkt_secret") });
  expect(console.seen).toEqual([{ path: "/api/agents/register", key: "", body: REGISTRATION as never }]);
  expect(said).toEqual([]);
});

it("fails with the reason when the hub refuses the token", async () => {
  const console = startFakeHub();
  for (const [code, reason] of [
    ["token_used", "was used already"],
    ["token_expired", "expired"],
    ["token_invalid", "knows no such token"],
    ["quota_reached", "does not take this machine: No."],
    ["something_else", "No."],
  ] as const) {
    console.answer(() => refusal(code === "quota_reached" ? 409 : 401, code));
    const { enrolling } = await enrolAt(console.url);
    const error = await enrolling.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FatalError);
    expect((error as Error).message).toContain(reason);
    expect((error as Error).message).not.toContain("wkt_secret");
  }
  expect(console.seen).toHaveLength(5);
});

it("retries with backoff while something other than the hub answers", async () => {
  const console = startFakeHub();
  const answers = [
    () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
    () => new Response("<h1>Welcome to nginx!</h1>"),
    () => new Response("<h1>Sign in</h1>", { status: 401 }),
    () => refusal(429, "rate_limited", "Too many.", { "retry-after": "120" }),
    () => Response.json({ success: true }),
    () => Response.redirect("https://elsewhere.example/", 301),
    () => new Response("Not found", { status: 404 }),
  ];
  let asked = 0;
  const asConsole = () => Response.json({ success: true, agent: { id: 7 }, key: KEY }, { status: 201 });
  console.answer(() => (answers[asked++] ?? asConsole)());
  const { enrolling, said, time } = await enrolAt(console.url);
  expect((await enrolling)?.agent).toBe(7);
  expect(said).toHaveLength(answers.length);
  for (const [index, words] of ["502", "200", "401", "Too many.", "gives no key", "elsewhere.example", "404"].entries())
    expect(said[index]).toContain(words);
  expect(time.slept[3]).toBeGreaterThanOrEqual(120_000);
  expect(time.slept[6]).toBeGreaterThanOrEqual(32_000);
});

it("retries while nothing listens, and logs it once", async () => {
  const console = startFakeHub();
  console.stop();
  const { enrolling, said, time, stop } = await enrolAt(console.url);
  while (time.slept.length < 4) await Bun.sleep(5);
  stop.abort();
  expect(await enrolling).toBeNull();
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("refused");
});
