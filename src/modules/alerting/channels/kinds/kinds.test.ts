import { describe, expect, it } from "bun:test";
import { USER_AGENT } from "../../../../build-info";
import { readConfig } from "../../../../core/config";
import { secretsIn } from "../../../../shared/channel-fields";
import { HOUR, MINUTE } from "../../../../shared/limits";
import type { EventKind } from "../../../../shared/notifications";
import { createHeldClock, START } from "../../../../testing/clock";
import { alertEvent } from "../../../../testing/fixtures/alert-events";
import {
  dingtalk,
  matrix,
  type Provider,
  slack,
  wecom,
  withoutBackslashes,
} from "../../../../testing/servers/channel-providers";
import { PROVIDERS } from "../../../../testing/servers/every-provider";
import { pagerduty, serverchan } from "../../../../testing/servers/push-providers";
import { testOutbound } from "../../../../testing/servers/target-of";
import { exported, masked } from "../config";
import type { ChannelMessage } from "../kind";
import { channelKinds, channelTypes } from "../registry";
import { sendTo } from "../send";
import { escapeText, type Message } from "../text";

const KINDS = Object.keys(PROVIDERS);
/** Kinds with their own tests, because their requests do not follow from a descriptor. */
const TESTED_ELSEWHERE = ["telegram", "resend", "webhook", "smtp"];

const LINK = "https://watch.example/monitors/7";
const MARKUP = "*a* _b_ `c` ~d~ <b>e</b> [x](javascript:alert) & <!channel> @everyone # | \\ 1. 名称 😀";
const MESSAGE: Message = { title: `🔴 ${MARKUP}`, lines: [`Reason: ${MARKUP}`, "Down since 12:20"], link: LINK };
const ACTION = {
  label: "Acknowledge",
  url: "https://watch.example/acknowledge/5?t=2.tg8k3c.0f1e2d3c4b5a69788796a5b4c3d2e1f0",
};

const eventOf = (kind: EventKind, targetId = 7): ChannelMessage["event"] =>
  alertEvent(kind, {
    targetType: kind === "offline" || kind === "online" ? "agent" : "monitor",
    targetId,
    targetName: MARKUP,
  });

type Sent = Partial<
  Message & {
    event: ChannelMessage["event"];
    key: string;
    config: Provider["config"];
    now: number;
    privateTargets: string;
  }
>;

/** Sends a message through a provider, as deliveries do. */
const send = (kind: string, provider: Provider, sent: Sent = {}) => {
  const {
    event = eventOf("down"),
    key = "wakeful-1-2-3",
    config = provider.config,
    now = START,
    privateTargets = "all",
    ...message
  } = sent;
  const env = { NODE_ENV: "test", PRIVATE_TARGETS: privateTargets, PROVIDER_ORIGINS: provider.origins };
  const clock = createHeldClock();
  clock.set(now);
  const deps = { config: readConfig(env), outbound: testOutbound, clock };
  const owner = { id: 1, role: "user" } as const;
  return sendTo(
    deps,
    { type: kind, config, owner },
    { ...MESSAGE, ...message, event, language: "en-US" },
    { key, number: 1, since: START },
  );
};

it("every kind has a provider that verifies its requests", () => {
  expect([...KINDS, ...TESTED_ELSEWHERE].toSorted()).toEqual(channelTypes().toSorted());
});

it("a stored secret that is sent to an address of the user's is kept for the same host only", () => {
  const kept = [...channelKinds.values()].flatMap(({ kind, fields }) => {
    const address = fields.find(({ type, name }) => type === "url" || name === "host");
    const secrets = address ? fields.filter((field) => field.secret && field !== address) : [];
    return secrets.filter(({ sentTo }) => sentTo !== address?.name).map(({ name }) => `${kind} ${name}`);
  });
  // They sign requests, and are not sent themselves.
  expect(kept).toEqual(["webhook secret", "webhook previousSecret"]);
});

describe.each(KINDS)("%s", (kind) => {
  const start = () => {
    const provider = PROVIDERS[kind]?.();
    if (!provider) throw new Error(`no provider for ${kind}`);
    return provider;
  };

  it("shows names with markup of any kind as they are", async () => {
    const provider = start();
    expect(await send(kind, provider)).toEqual({ sent: true, reply: "ok" });
    const [shown = ""] = provider.shown;
    expect(shown).toContain(`Reason: ${MARKUP}`);
    expect(shown).toContain(kind === "serverchan" ? [..."🔴 ".concat(MARKUP)].slice(0, 32).join("") : `🔴 ${MARKUP}`);
  });

  it("gets requests with the User-Agent of the product", async () => {
    const provider = start();
    await send(kind, provider);
    expect(provider.requests.map(({ headers }) => headers["user-agent"])).toEqual(
      provider.requests.map(() => USER_AGENT),
    );
  });

  it("does not take an error inside an answer of status 200 for success", async () => {
    const provider = start();
    provider.answerWith(provider.errorInside200);
    expect(await send(kind, provider)).toMatchObject({ sent: false });
    provider.answerWith(() => new Response("<html>Sign in to this network</html>"));
    expect(await send(kind, provider)).toMatchObject({ sent: false, refused: false });
    provider.answerWith(() => new Response("<html>Bad gateway</html>", { status: 502 }));
    expect(await send(kind, provider)).toMatchObject({ sent: false, refused: false });
  });

  it("says in the provider's words why its credentials are refused, without a secret", async () => {
    const provider = start();
    const answer = await send(kind, provider, { config: provider.wrong });
    expect(answer.sent).toBe(false);
    expect(provider.shown).toEqual([]);
    expect(JSON.stringify(answer)).not.toMatch(/wrong|secret/);
    // An Apprise server answers 204 for an unknown key, which may be a moment before it is stored.
    if (kind !== "apprise")
      expect(answer).toMatchObject({ refused: true, error: { detail: { reply: expect.stringMatching(/./) } } });
  });

  it("waits as long as a limit says", async () => {
    const provider = start();
    provider.answerWith(() => new Response("slow down", { status: 429, headers: { "retry-after": "90" } }));
    expect(await send(kind, provider)).toMatchObject({ sent: false, refused: false, retryAfter: 90 });
  });

  it("cuts a message that is too long within the provider's limit, and keeps the links", async () => {
    const provider = start();
    const lines = Array.from({ length: 40 }, (_, index) => `${index} ${"*超😀".repeat(100)}`);
    expect(await send(kind, provider, { lines, action: ACTION })).toMatchObject({ sent: true });
    expect(provider.shown[0]).toContain("0 *超😀");
    expect(provider.requests[0]?.body).toContain(LINK);
    expect(provider.requests[0]?.body).toContain(ACTION.url);
    expect(provider.shown[0]?.isWellFormed()).toBe(true);
  });

  it("does not reach a private address that a user chose where that is not allowed", async () => {
    const provider = start();
    const answer = await send(kind, provider, { privateTargets: "none" });
    // The address of a provider is the operator's choice.
    if (provider.origins) return expect(answer).toMatchObject({ sent: true });
    expect(answer).toMatchObject({ sent: false, refused: true, error: { code: "blocked_by_setting" } });
    expect(provider.requests).toEqual([]);
  });

  it("shows and exports no secret", () => {
    const { config } = start();
    const secrets = secretsIn(channelKinds.get(kind)?.fields ?? [], config);
    expect(secrets.length).toBeGreaterThan(0);
    const shown = JSON.stringify([masked({ type: kind, config }), exported({ type: kind, config })]);
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  it("sends the message of a test, which is about nothing", async () => {
    const provider = start();
    expect(await send(kind, provider, { event: null, link: null, action: null })).toMatchObject({ sent: true });
  });
});

describe("a DingTalk robot", () => {
  it("that was shut for ten minutes gets its next message after them", async () => {
    let now = START;
    const provider = dingtalk(() => now);
    for (let sent = 0; sent < 20; sent++)
      expect(await send("dingtalk", provider, { now })).toMatchObject({ sent: true });
    expect(await send("dingtalk", provider, { now })).toMatchObject({ sent: false, refused: false, retryAfter: 600 });
    now += 10 * MINUTE;
    expect(await send("dingtalk", provider, { now })).toMatchObject({ sent: true });
  });

  it("refuses a signature of another time", async () => {
    const provider = dingtalk(() => START + 2 * HOUR);
    expect(await send("dingtalk", provider)).toMatchObject({ sent: false, refused: true });
  });
});

it("a WeCom robot that got 20 messages in a minute gets the next one a minute later", async () => {
  const provider = wecom();
  for (let sent = 0; sent < 20; sent++) await send("wecom", provider);
  expect(await send("wecom", provider)).toMatchObject({ sent: false, refused: false, retryAfter: 60 });
});

it("a Matrix homeserver shows a message once that was sent again after a lost answer", async () => {
  const provider = matrix();
  for (const key of ["a", "a", "b"]) expect(await send("matrix", provider, { key })).toMatchObject({ sent: true });
  expect(provider.shown).toHaveLength(2);
});

it("a recovery resolves the PagerDuty incident that its alert opened, and no other", async () => {
  const provider = pagerduty();
  await send("pagerduty", provider, { event: eventOf("down") });
  await send("pagerduty", provider, { event: eventOf("cpu_high") });
  await send("pagerduty", provider, { event: eventOf("down", 8) });
  expect(provider.incidents.size).toBe(3);
  await send("pagerduty", provider, { event: eventOf("recovery") });
  const others = ["wakeful-watch.example-monitor-7-cpu", "wakeful-watch.example-monitor-8-state"];
  expect([...provider.incidents]).toEqual(others);
  // A drill opens and resolves an incident of its own.
  await send("pagerduty", provider, { event: { ...eventOf("down"), drill: true } as ChannelMessage["event"] });
  expect([...provider.incidents]).toEqual([...others, "wakeful-watch.example-monitor-7-drill"]);
  await send("pagerduty", provider, { event: { ...eventOf("recovery"), drill: true } as ChannelMessage["event"] });
  expect([...provider.incidents]).toEqual(others);
});

it("a Server Chan key of the third version is sent to the host of its user", async () => {
  const provider = { ...serverchan(), config: { sendKey: "sctp42tsecret" } };
  const origins = provider.origins.replace("https://sctapi.ftqq.com", "https://42.push.ft07.com");
  await send("serverchan", { ...provider, origins });
  expect(provider.requests[0]?.path).toBe("/send/sctp42tsecret.send");
});

it("an address that a user chose is not sent to the operator's proxy", async () => {
  const [provider, proxy] = [slack(), slack()];
  const mapped = `${new URL(provider.config.url ?? "").origin}=${new URL(proxy.config.url ?? "").origin}`;
  await send("slack", { ...provider, origins: mapped });
  expect([provider.requests.length, proxy.requests.length]).toEqual([1, 0]);
});

it("an escaped text reads as the original, whatever is in it", () => {
  const characters = [..."\\*_`~<>&[]()#!@|-+.:/ aé名😀", "\n", "&amp;", "\\*"];
  for (let round = 0; round < 500; round++) {
    const text = Array.from(
      { length: 30 },
      (_, index) => characters[(round * 7919 + index * index * 31) % characters.length],
    ).join("");
    expect(withoutBackslashes(escapeText("markdown", text))).toBe(text);
    const entities = escapeText("entities", text);
    expect(entities).not.toMatch(/[<>]/);
    expect(entities.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")).toBe(text);
  }
});
