import { describe, expect, it, spyOn } from "bun:test";
import { deliveries } from "../../../../db/schema";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { START } from "../../../../testing/clock";
import { acknowledgeLine, readDeliveries, runDeliveries } from "../../../../testing/fixtures/alerts";
import { createWebhookApp, SIGNING_SECRET, TOKEN } from "../../../../testing/fixtures/webhooks";
import { problemsOf } from "../../../../testing/json-schema";
import { readDocument } from "../../../../testing/openapi";
import { drippingBody, endlessBody, hang, serveRaw } from "../../../../testing/servers/raw";
import { serveTarget } from "../../../../testing/servers/targets";
import { serveWebhook } from "../../../../testing/servers/webhook";

describe("an alert by webhook", () => {
  it("is a signed POST of JSON with the event, the target and the message", async () => {
    const hook = serveWebhook({ secret: SIGNING_SECRET, now: () => START / 1000 });
    const { app, alert } = await createWebhookApp();
    const config = { headers: `Authorization: Bearer ${TOKEN}\nX-Team: ops`, secret: SIGNING_SECRET };
    const { monitor } = await alert(`${hook.url}hook?team=ops`, config);
    const [delivery] = await readDeliveries(app);
    expect(delivery).toMatchObject({ state: "sent", attempts: 1 });
    const key = `wakeful-${delivery?.eventId}-${delivery?.id}-${delivery?.createdAt}`;
    const link = `https://watch.example/wakeful/monitors/${monitor}`;
    const lines = [
      "Address: https://shop.example/",
      "Reason: status 503, expected 200",
      "Down since Jan 15, 2026, 12:20:00 UTC",
    ];
    const acknowledge = acknowledgeLine(app, 1, delivery?.channelId ?? 0, START);
    expect(hook.accepted).toEqual([
      {
        event: "down",
        key,
        at: "2026-01-15T12:20:00.000Z",
        title: "🔴 shop is down",
        lines,
        text: ["🔴 shop is down", ...lines, acknowledge, link].join("\n"),
        link,
        acknowledge_link: acknowledge.replace("Acknowledge: ", ""),
        target: { type: "monitor", id: monitor, name: "shop" },
        since: "2026-01-15T12:20:00.000Z",
        error: "status 503, expected 200",
        error_code: "status",
        error_detail: { actual: 503, expected: "200" },
        figure: null,
        threshold: null,
        mount: null,
        subject: null,
        facts: null,
        drill: false,
        report: null,
      },
    ]);
    const { components, webhooks } = await readDocument(app);
    expect(webhooks).toHaveProperty("webhook.post.requestBody");
    expect(problemsOf(hook.accepted[0], { $ref: "#/components/schemas/WebhookPayload" }, components.schemas)).toEqual(
      [],
    );
    const [request] = hook.requests;
    expect(request?.path).toBe("/hook?team=ops");
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      authorization: `Bearer ${TOKEN}`,
      "x-team": "ops",
      "x-wakeful-event": "down",
      "x-wakeful-delivery": key,
    });
    expect(request?.headers["user-agent"]).toStartWith("Wakeful/");
  });

  it("has no signature without a secret", async () => {
    const hook = serveWebhook();
    const { alert } = await createWebhookApp();
    await alert(hook.url);
    expect(hook.requests[0]?.headers["x-wakeful-signature"]).toBeUndefined();
  });

  it("is signed with the previous secret too while a receiver may still expect that one", async () => {
    const previous = "whsec_before_0123456789";
    const config = { secret: SIGNING_SECRET, previousSecret: previous };
    const { alert } = await createWebhookApp();
    for (const secret of [SIGNING_SECRET, previous]) {
      const hook = serveWebhook({ secret, now: () => START / 1000 });
      await alert(hook.url, config);
      expect(hook.accepted).toHaveLength(1);
    }
    const stranger = serveWebhook({ secret: "whsec_of_another", now: () => START / 1000 });
    await alert(stranger.url, config);
    expect(stranger.accepted).toHaveLength(0);
  });

  it("keeps its key when it is sent again, and has a new signature", async () => {
    const statuses = [503, 200];
    const { app, alert, delivery } = await createWebhookApp();
    const hook = serveWebhook({
      secret: SIGNING_SECRET,
      now: () => app.clock.now() / 1000,
      answer: () => new Response(null, { status: statuses.shift() ?? 500 }),
    });
    await alert(hook.url, { secret: SIGNING_SECRET });
    await app.clock.advance(5 * SECOND);
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 2 }]);
    expect(new Set(hook.requests.map(({ headers }) => headers["x-wakeful-delivery"])).size).toBe(1);
    expect(new Set(hook.requests.map(({ headers }) => headers["x-wakeful-signature"])).size).toBe(2);
  });
});

describe("a webhook's answer", () => {
  it("counts as success with any 2xx status, and a test quotes it as one bounded line", async () => {
    const hook = serveTarget(() => new Response(`<h1>odd\n\n\u0000page</h1>${"x".repeat(5000)}`));
    const { test, alert, app } = await createWebhookApp();
    const { status, body } = await test(hook.url);
    expect([status, body.success]).toEqual([200, true]);
    expect(body.message).toMatch(/^200: <h1>odd page<\/h1>x+$/);
    expect(body.message.length).toBe(300);
    await alert(hook.url);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent" }]);
  });

  it("counts as failure with any other status", async () => {
    const { test } = await createWebhookApp();
    const results: [number, boolean][] = [];
    for (const status of [200, 201, 204, 299, 302, 400, 401, 404, 410, 429, 500, 503]) {
      const hook = serveTarget(() => new Response(null, { status, headers: { location: "/" } }));
      results.push([status, (await test(hook.url)).body.success]);
    }
    expect(results.map(([status, success]) => success === status < 300)).toEqual(results.map(() => true));
  });

  it("with a redirect is not followed", async () => {
    const other = serveTarget();
    const hook = serveTarget(() => Response.redirect(other.url, 307));
    const { test } = await createWebhookApp();
    const { status, body } = await test(hook.url);
    expect([status, body.message]).toEqual([502, "The provider said: 307: redirects are not followed"]);
    expect(other.requests).toHaveLength(0);
  });

  it("without an end is read in part, and a slow one times out after 10 s", async () => {
    const { timeout } = AbortSignal;
    const limits: number[] = [];
    const spy = spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      limits.push(milliseconds);
      return timeout.call(AbortSignal, 300);
    });
    try {
      const { test } = await createWebhookApp();
      const endless = await serveRaw(endlessBody);
      const read = await test(endless.url);
      expect([read.status, read.body.message.length]).toEqual([200, 300]);
      for (const behaviour of [hang, drippingBody]) {
        const { url } = await serveRaw(behaviour);
        expect((await test(url)).body).toMatchObject({
          code: "provider_refused",
          message: "The provider said: no answer within 10 s",
        });
      }
      expect(limits).toEqual([10_000, 10_000, 10_000]);
    } finally {
      spy.mockRestore();
    }
  });

  it.each([401, 404, 422])("of status %p ends the delivery after three attempts and ten minutes", async (status) => {
    const hook = serveTarget(() => new Response("no such hook", { status }));
    const { app, alert, delivery, problemOf } = await createWebhookApp();
    const { id } = await alert(hook.url);
    for (const pause of [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE]) {
      expect(await readDeliveries(app)).toMatchObject([{ state: "pending" }]);
      expect(await problemOf(id)).toBeNull();
      await app.clock.advance(pause);
      await runDeliveries(app, delivery);
    }
    await app.clock.advance(15 * MINUTE);
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([
      { state: "failed", attempts: 6, error: `${status}: no such hook` },
    ]);
    expect(await problemOf(id)).toBe(`${status}: no such hook`);
  });

  it("of status 410 ends the delivery at once", async () => {
    const hook = serveTarget(() => new Response(null, { status: 410 }));
    const { app, alert } = await createWebhookApp();
    await alert(hook.url);
    expect(await readDeliveries(app)).toMatchObject([{ state: "failed", attempts: 1 }]);
  });

  it.each([500, 503, 429, 408])("of status %p is retried for a day", async (status) => {
    const hook = serveTarget(() => new Response("busy", { status }));
    const { app, alert, delivery } = await createWebhookApp();
    await alert(hook.url);
    await app.db.update(deliveries).set({ attempts: 10, createdAt: START - 60 * MINUTE, nextAttemptAt: START });
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ state: "pending", attempts: 11 }]);
  });

  it("of status 429 sets the pause that it names", async () => {
    const hook = serveTarget(() => new Response(null, { status: 429, headers: { "retry-after": "90" } }));
    const { app, alert } = await createWebhookApp();
    await alert(hook.url);
    expect(await readDeliveries(app)).toMatchObject([{ state: "pending", nextAttemptAt: START + 90 * SECOND }]);
  });
});
