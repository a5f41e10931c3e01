import { expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { channels } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import type { TestUser } from "../../../testing/fixtures/people";
import { PROVIDERS } from "../../../testing/servers/every-provider";
import { BOT_TOKEN } from "../../../testing/servers/providers";
import { channelHosts } from "./hosts";

const setUp = async (env = {}) => {
  const app = await createTestApp({ env });
  const { alice, bob } = await app.people();
  const add = async (owner: TestUser, type: string, config: Record<string, string>, enabled = true) => {
    const times = { createdAt: START, updatedAt: START };
    await app.db.insert(channels).values({ ...madeBy(owner), name: type, type, config, enabled, ...times });
  };
  return { app, alice, bob, add };
};

it("the hosts of channels are those of their addresses, each once, also of those that have a connection of their own", async () => {
  const { app, alice, bob, add } = await setUp({ PRIVATE_TARGETS: "admin" });
  await add(alice, "webhook", { url: "https://hooks.example:8443/a?token=1" });
  await add(alice, "webhook", { url: "https://hooks.example:8443/b" });
  await add(bob, "webhook", { url: "http://[2001:db8::7]/" });
  await add(alice, "telegram", { botToken: BOT_TOKEN, chatId: "42" });
  await add(alice, "smtp", { host: "mail.example", port: "465", from: "a@mail.example", to: "b@mail.example" });
  await add(alice, "webhook", { url: "https://unused.example/" }, false);
  await add(alice, "a kind of another version", {});
  const hosts = await channelHosts(app.deps);
  expect(hosts.sort((a, b) => a.hostname.localeCompare(b.hostname))).toEqual([
    { hostname: "2001:db8::7", port: 80, secure: false, allowPrivate: false },
    { hostname: "api.telegram.org", port: 443, secure: true, allowPrivate: true },
    { hostname: "hooks.example", port: 8443, secure: true, allowPrivate: true },
    { hostname: "mail.example", port: 465, secure: false, allowPrivate: true },
  ]);
});

it.each(Object.keys(PROVIDERS))("a channel of the kind %s has a host, which gets no request", async (kind) => {
  const provider = PROVIDERS[kind]?.();
  if (!provider) throw new Error(kind);
  const { app, alice, add } = await setUp({ PROVIDER_ORIGINS: provider.origins });
  await add(alice, kind, provider.config);
  expect(await channelHosts(app.deps)).toHaveLength(1);
});
