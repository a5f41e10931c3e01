import "../../testing/test-dom";

import { test } from "bun:test";
import i18next from "i18next";
import { publish } from "../../../src/testing/fixtures/status-page";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen } from "../../testing/test-page";
import type { Subscribers } from "./api";
import SubscribersPage from "./subscribers-page";
import { texts } from "./texts";

setUpPage({ path: "/status/config/subscribers" });

const one: Subscribers["subscribers"][number] = {
  ...{ id: 1, kind: "email", address: "dora@example.com", components: ["Shop", "支付"], language: "en-US" },
  ...{ created_at: "2026-01-15T12:00:00.000Z", confirmed_at: null, ended_at: null, failures: 0 },
};

/** Opens the screen of a page with these numbers of subscribers. */
const open = async (counts: Partial<Subscribers["counts"]>) => {
  const hub = await startHubAs("bob");
  addTexts({ subscribers: texts });
  await publish(hub, hub.user, { title: "Acme" });
  const answer = { success: true, subscribers: [one], total: 1 };
  fakeServer.answer((request, path) =>
    path.includes("/subscribers")
      ? Response.json({ ...answer, counts: { email: 0, webhook: 0, unconfirmed: 0, ended: 0, ...counts } })
      : hub.send(request),
  );
  render(<SubscribersPage />);
};

test.each([
  ["en-US", { unconfirmed: 1 }, "No one gets messages yet; 1 subscriber has not confirmed yet."],
  ["en-US", { email: 1 }, "1 address gets messages."],
  [
    "en-US",
    { email: 3, webhook: 1, unconfirmed: 2, ended: 1 },
    "3 addresses and 1 webhook get messages; 2 subscribers have not confirmed yet; 1 subscriber is undeliverable.",
  ],
  ["zh-CN", { unconfirmed: 1 }, "还没有可以通知的订阅者；1 位订阅者尚未确认。"],
  ["zh-CN", { email: 3, webhook: 1 }, "会通知 3 个邮箱和 1 个 Webhook。"],
] as const)("a sentence says how many subscribers get messages, and why others do not, in %s: %p", async (...row) => {
  const [language, counts, sentence] = row;
  await i18next.changeLanguage(language);
  await open(counts);
  await screen.findByText(sentence);
});

test("the components of a subscriber have the comma of the language between them", async () => {
  await i18next.changeLanguage("zh-CN");
  await open({ email: 1 });
  await screen.findByText("Shop、支付");
});
