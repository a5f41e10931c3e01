import { expect, it } from "bun:test";
import { makeCertificate } from "../../testing/servers/certificates";
import { refusal, startFakeHub } from "../../testing/servers/fake-hub";
import { serveTarget } from "../../testing/servers/targets";
import { sendRequest } from "./hub-client";

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
