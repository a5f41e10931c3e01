import { expect, it } from "bun:test";
import { createSleepyTime, IDENTITY } from "../../testing/agent-program";
import { makeCertificate } from "../../testing/servers/certificates";
import { KEY, refusal, startFakeHub } from "../../testing/servers/fake-hub";
import { serveTarget } from "../../testing/servers/targets";
import { FatalError } from "../state";
import { enroll, sendRequest, tokenHash } from "./hub-client";

const CALL = { path: "api/agents/report", body: "{}" };

it("times out on a server that does not answer or never ends its response", async () => {
  const console = startFakeHub();
  const call = { ...CALL, timeout: 50 };
  console.answer(() => new Promise(() => {}));
  expect(await sendRequest(console.url, call)).toMatchObject({
    kind: "unavailable",
    reason: "it does not answer within 10 s",
  });
  const drip = async (stream: ReadableStreamDefaultController) => {
    await Bun.sleep(5);
    stream.enqueue("x");
  };
  console.answer(() => new Response(new ReadableStream({ pull: drip })));
  expect(await sendRequest(console.url, call)).toMatchObject({ kind: "unavailable" });
  console.answer(() => new Response(`{"success":true,"x":"${"x".repeat(10 ** 6)}"}`));
  expect(await sendRequest(console.url, { ...call, timeout: 5000 })).toMatchObject({ kind: "unavailable" });
});

it("treats only the hub's own JSON as a refusal", async () => {
  const console = startFakeHub();
  for (const [answer, kind] of [
    [() => refusal(401, "unauthorized"), "refused"],
    [() => refusal(422, "validation"), "refused"],
    [() => refusal(429, "rate_limited"), "unavailable"],
    [() => refusal(404, "not_found"), "unavailable"],
    [() => refusal(503, "unavailable"), "unavailable"],
    [() => new Response("Unauthorized", { status: 401 }), "unavailable"],
    [() => Response.json({ error: "invalid_token" }, { status: 401 }), "unavailable"],
    [() => Response.json(null), "unavailable"],
  ] as const) {
    console.answer(answer);
    expect((await sendRequest(console.url, CALL)).kind).toBe(kind);
  }
});

it("logs untrusted response text on one line", async () => {
  const console = startFakeHub();
  console.answer(() => refusal(422, "validation", `a\nb\u001b[2Jc${"d".repeat(1000)}`));
  const answer = await sendRequest(console.url, CALL);
  expect(answer).toMatchObject({ kind: "refused", message: expect.stringMatching(/^a b \[2Jcd{1,300}$/) });
});

it("never sends its key to a redirect target", async () => {
  const elsewhere = serveTarget();
  const console = startFakeHub();
  console.answer(() => Response.redirect(elsewhere.url, 307));
  expect(await sendRequest(console.url, { ...CALL, key: "wka_key" })).toMatchObject({ kind: "unavailable" });
  expect(elsewhere.requests).toEqual([]);
});

it("rejects a server with an untrusted certificate", async () => {
  const target = serveTarget(undefined, makeCertificate({ name: "localhost", days: 30 }));
  const answer = await sendRequest(target.url, CALL);
  expect(answer).toMatchObject({ kind: "unavailable", reason: expect.stringContaining("certificate is not accepted") });
  expect(target.requests).toEqual([]);
  const plain = serveTarget();
  const refused = await sendRequest(plain.url.replace("http:", "https:"), CALL);
  expect(refused).toMatchObject({ kind: "unavailable" });
});

it("reports a name that does not resolve", async () => {
  expect(await sendRequest("http://console.invalid/", CALL)).toMatchObject({ reason: "its name cannot be resolved" });
});

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
  expect(time.slept[6]).toBeGreaterThanOrEqual(30_000);
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
