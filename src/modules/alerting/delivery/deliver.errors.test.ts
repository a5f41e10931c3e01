import { describe, expect, it, spyOn } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START, until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readProblem,
  recordDown,
  recover,
  resendChannel,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { API_KEY, BOT_TOKEN, resendError, telegramError } from "../../../testing/servers/providers";
import { closeAtOnce, closedPort, endlessBody, garbage, hang, reset, serveRaw } from "../../../testing/servers/raw";

/** One alert after its first attempt, with its stored row. */
const tryOnce = async (options: Parameters<typeof createAlertApp>[0], body = telegramChannel()) => {
  const made = await createAlertApp(options);
  const { app, bob, delivery } = made;
  const channel = await addChannel(app, bob, body as ReturnType<typeof telegramChannel>);
  const id = await addWatchedMonitor(app, bob, [channel]);
  await recordDown(app, id);
  await runDeliveries(app, delivery);
  const [row] = await readDeliveries(app);
  for (const secret of [BOT_TOKEN, API_KEY]) {
    expect(app.logged.join("")).not.toInclude(secret);
    expect(JSON.stringify(row)).not.toInclude(secret);
  }
  return { ...made, channel, id, row, problem: await readProblem(app, channel) };
};

describe("a permanent refusal", () => {
  it.each([400, 401, 403, 404, 422])(
    "of Telegram with status %d ends the delivery, and is shown on the channel until a message is sent",
    async (code) => {
      let fine = false;
      const refused = telegramError(code, `no: /bot${BOT_TOKEN}/sendMessage`);
      const { app, channel, id, row, problem, delivery } = await tryOnce({
        telegram: () => (fine ? null : refused.clone()),
      });
      const reply = `${code}: no: /bot••••/sendMessage`;
      expect(row).toMatchObject({ state: "failed", attempts: 1, error: reply, nextAttemptAt: null, endedAt: START });
      expect(problem).toBe(reply);
      fine = true;
      await app.clock.advance(1);
      await recover(app, id);
      await app.clock.advance(1);
      await recordDown(app, id);
      await runDeliveries(app, delivery);
      expect(await readProblem(app, channel)).toBeNull();
    },
  );

  it.each([
    [401, "missing_api_key"],
    [403, "invalid_api_key"],
    [422, "invalid_from_address"],
  ] as const)("of Resend with status %d %s ends the delivery", async (status, name) => {
    const { row, problem } = await tryOnce({ resend: () => resendError(status, name, "no") }, resendChannel() as never);
    expect(row).toMatchObject({ state: "failed", error: `${status}: no` });
    expect(problem).toBe(`${status}: no`);
  });
});

it("an answer is stored without control characters and cut to its maximum length", async () => {
  const reply = `\u0000\ud83d\n${"x".repeat(285)}${BOT_TOKEN}`;
  const { row } = await tryOnce({ telegram: () => telegramError(400, reply) });
  expect(row?.state).toBe("failed");
  expect(row?.error).toStartWith("400: ");
  expect(row?.error?.length).toBeLessThanOrEqual(300);
  expect(row?.error).toInclude("x".repeat(250));
  expect(row?.error).not.toInclude(BOT_TOKEN.slice(0, 5));
});

describe("a temporary failure", () => {
  const html = (status: number) =>
    new Response("<h1>Access denied</h1>", { status, headers: { "content-type": "text/html" } });
  const cases: [string, () => Response, string][] = [
    ["500", () => telegramError(500, "Internal"), "500: Internal"],
    ["408", () => telegramError(408, "Timeout"), "408: Timeout"],
    ["a web page with status 502", () => html(502), "502: no reason given"],
    ["a web page with status 403, as of a proxy", () => html(403), "403: no reason given"],
    ["a web page with status 200, as of a captive portal", () => html(200), "200: no reason given"],
    ["an empty answer", () => new Response(null), "200: no reason given"],
    ["other JSON", () => Response.json([1, 2]), "200: no reason given"],
    ["an incomplete answer", () => new Response('{"ok":tr'), "200: no reason given"],
    ["a refusal with status 200", () => Response.json({ ok: false, description: "odd" }), "200: odd"],
    ["a redirect", () => Response.redirect("http://127.0.0.1:1/", 302), "302: no reason given"],
  ];
  it.each(cases)("%s is retried", async (_, answer, error) => {
    const { row, problem } = await tryOnce({ telegram: answer });
    expect(row).toMatchObject({
      state: "pending",
      attempts: 1,
      error,
      nextAttemptAt: START + 5 * SECOND,
      claimedBy: null,
    });
    expect(problem).toBeNull();
  });

  it.each([
    ["is garbage", garbage],
    ["is a reset", reset],
    ["is the end of the connection", closeAtOnce],
    ["never ends", endlessBody],
    ["never comes", hang],
  ])("an answer that %s is retried, and times out after 10 s", async (_, behaviour) => {
    const { timeout } = AbortSignal;
    const asked: number[] = [];
    // The timeout is shorter here; the test compares the requested one.
    const spy = spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
      asked.push(milliseconds);
      return timeout.call(AbortSignal, 300);
    });
    try {
      const { url } = await serveRaw(behaviour);
      const { row } = await tryOnce({ env: { TELEGRAM_API_URL: url } });
      expect(row).toMatchObject({ state: "pending", attempts: 1, nextAttemptAt: START + 5 * SECOND });
      expect(row?.error).toMatch(/^no answer|^200/);
      expect(asked).toEqual([10_000]);
    } finally {
      spy.mockRestore();
    }
  });

  it("is recorded when the connection is refused", async () => {
    const { row } = await tryOnce({ env: { TELEGRAM_API_URL: `http://127.0.0.1:${await closedPort()}` } });
    expect(row).toMatchObject({ state: "pending", error: "no answer: ECONNREFUSED" });
  });
});

describe("a request for a pause", () => {
  const pausing = [
    ["in Telegram's body", () => telegramError(429, "Too Many Requests: retry after 40", { retry_after: 40 }), 40],
    [
      "in a header",
      () => Response.json({ ok: false, description: "slow down" }, { status: 429, headers: { "retry-after": "90" } }),
      90,
    ],
  ] as const;
  it.each(pausing)("%s pauses its whole channel and no other", async (_, answer, seconds) => {
    let calls = 0;
    const { app, bob, delivery, telegram } = await createAlertApp({
      telegram: ({ sent }) => (sent.chat === "42" && calls++ === 0 ? answer() : null),
    });
    const both = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("other", "43"))];
    await recordDown(app, await addWatchedMonitor(app, bob, both, "first"));
    await runDeliveries(app, delivery);
    // New deliveries during the pause respect it too.
    await app.clock.advance(SECOND);
    await recordDown(app, await addWatchedMonitor(app, bob, both, "second"));
    await runDeliveries(app, delivery);
    const chats = () =>
      telegram.messages
        .map(({ chat }) => chat)
        .toSorted()
        .join(" ");
    expect(chats()).toBe("42 43 43");
    await app.clock.advance((seconds - 1) * SECOND - 1);
    await runDeliveries(app, delivery);
    expect(chats()).toBe("42 43 43");
    await app.clock.advance(1);
    await runDeliveries(app, delivery);
    expect(chats()).toBe("42 42 42 43 43");
    expect((await readDeliveries(app)).every(({ state }) => state === "sent")).toBe(true);
  });

  it.each(["-5", "soon", "0", "Wed, 21 Oct 2026 07:28:00 GMT"])("with the value %s is ignored", async (pause) => {
    const answer = () => telegramError(429, "Too Many Requests");
    const { row } = await tryOnce({
      telegram: () => new Response(answer().body, { status: 429, headers: { "retry-after": pause } }),
    });
    expect(row).toMatchObject({ state: "pending", nextAttemptAt: START + 5 * SECOND });
  });

  it("for longer than a day ends its delivery, and others are retried after a day", async () => {
    let calls = 0;
    const { app, bob, delivery } = await createAlertApp({
      telegram: () => (calls++ === 0 ? telegramError(429, "Too Many Requests", { retry_after: 9e9 }) : null),
    });
    const channel = await addChannel(app, bob);
    await recordDown(app, await addWatchedMonitor(app, bob, [channel], "first"));
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ state: "pending", nextAttemptAt: START + 24 * 60 * MINUTE }]);
    await app.clock.advance(24 * 60 * MINUTE);
    await runDeliveries(app, delivery);
    expect(await readDeliveries(app)).toMatchObject([{ state: "sent", attempts: 2 }]);
  });
});

it("a channel is paused by the stored error code, and not by a provider's text that starts with 429", async () => {
  const paused = async (answer: () => Response) => {
    const { app, delivery, id } = await tryOnce({ telegram: answer });
    await app.clock.advance(1);
    await recover(app, id);
    await delivery.run();
    const rows = await readDeliveries(app);
    return [rows[0]?.errorCode, (rows.at(-1)?.nextAttemptAt ?? START) > app.clock.now()];
  };
  expect(await paused(() => telegramError(429, "Too Many Requests", { retry_after: 600 }))).toEqual([
    "rate_limited",
    true,
  ]);
  expect(await paused(() => telegramError(503, "429: Too Many Requests"))).toEqual(["rejected", false]);
});

it("a retry waits for the pause that the provider asked for while the attempt went on", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const { app, bob, delivery, telegram } = await createAlertApp({
    telegram: ({ number }) => (number === 1 ? promise : telegramError(429, "Too Many Requests", { retry_after: 100 })),
  });
  const channel = await addChannel(app, bob);
  for (const name of ["shop", "blog"]) await recordDown(app, await addWatchedMonitor(app, bob, [channel], name));
  await delivery.run();
  const isPaused = async () => (await readDeliveries(app)).some(({ errorCode }) => errorCode === "rate_limited");
  await until(isPaused, "the pause to be recorded");
  expect(telegram.messages).toHaveLength(2);
  resolve(telegramError(500, "Internal"));
  await runDeliveries(app, delivery);
  const again = START + 100 * SECOND;
  expect((await readDeliveries(app)).map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([again, again]);
});
