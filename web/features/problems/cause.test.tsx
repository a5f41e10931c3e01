import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import i18next from "i18next";
import { outages } from "../../../src/db/schema";
import { checkError } from "../../../src/shared/check-error";
import { MINUTE } from "../../../src/shared/limits";
import type { OutageCause } from "../../../src/shared/notifications";
import { START } from "../../../src/testing/clock";
import { enrollAgent, sampleAt } from "../../../src/testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../src/testing/fixtures/monitors";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import { ProblemBlock } from "./problem-block";

setUpPage({ path: "/dashboard" });

const Page = () => (
  <>
    <ProblemBlock />
    <Toasts />
  </>
);

/** Bob's monitor that is down with this cause, and his server, which has the id 1. */
const start = async (cause: OutageCause) => {
  const hub = await startHubAs("bob");
  const agent = await enrollAgent(hub, hub.bob, { name: "web-1" });
  await agent.report([sampleAt(START)]);
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await recordOnly(hub, id, [{ at: START, up: false, error: checkError("refused") }]);
  await hub.db.update(outages).set({ cause }).where(eq(outages.targetId, id));
  hub.clock.set(START + 5 * MINUTE);
  return { ...hub, id, agent };
};

const silent = { kind: "agent_silent", agentId: 1, name: "web-1", at: START } as const;

test.each([
  ["en-US", silent, /^Server web-1 has not reported since .*, so it is probably down/],
  ["zh-CN", silent, /^服务器 web-1 自 .* 起没有上报，可能已宕机/],
  ["en-US", { ...silent, kind: "agent_rebooted" }, /^Server web-1 was restarted at .*: probably the cause/],
  [
    "en-US",
    { kind: "agent_disk_full", agentId: 1, name: "web-1", mount: "/var", percent: 99.6 },
    /^Disk \/var of server web-1 is 99\.6% full: probably the cause/,
  ],
  [
    "zh-CN",
    { kind: "agent_disk_full", agentId: 1, name: "web-1", mount: null, percent: 100 },
    /^服务器 web-1 的磁盘已用 100%，可能是故障原因/,
  ],
  [
    "en-US",
    { kind: "shared_address", value: "203.0.113.7", others: 5 },
    /^Probably one cause: 6 monitors on 203\.0\.113\.7 are down$/,
  ],
  [
    "en-US",
    { kind: "shared_host", value: "db-1", others: 1, total: 3 },
    /^Probably one cause: 2 of 3 monitors on db-1 are down$/,
  ],
  [
    "zh-CN",
    { kind: "shared_domain", value: "example.com", others: 2, total: 3 },
    /^可能是同一原因：example\.com 下的 3 个监控全部故障$/,
  ],
] as [string, OutageCause, RegExp][])(
  "a problem has its probable cause in one line, in %s: %j",
  async (language, cause, line) => {
    await i18next.changeLanguage(language);
    await start(cause);
    const { container } = render(<ProblemBlock />);
    await screen.findByText("Shop");
    expect(container.querySelector(".cause")?.textContent).toMatch(line);
    const link = screen.queryByRole("link", { name: "web-1" });
    expect(link?.getAttribute("href") ?? null).toBe("agentId" in cause ? "/agents/1" : null);
    expect(screen.queryAllByRole("button", { name: /dependency|依赖/ })).toHaveLength("agentId" in cause ? 1 : 0);
  },
);

test("a server that is the cause becomes something that the monitor depends on, besides what it has", async () => {
  await i18next.changeLanguage("en-US");
  const { id, agent, client, ...hub } = await start(silent);
  const router = await addMonitor(hub, hub.bob, { url: "https://router.example/", name: "router" });
  await client.put(`/api/monitors/${id}/dependencies`, { parents: [{ type: "monitor", id: router }] });
  render(<Page />);
  await userEvent.click(await screen.findByRole("button", { name: "Make it a dependency: Shop" }));
  await screen.findByText("Shop now depends on web-1.");
  await screen.findByText("Now a dependency");
  expect(screen.queryByRole("button", { name: "Make it a dependency: Shop" })).toBeNull();
  expect(changes().at(-1)).toMatchObject({ method: "PUT", path: `/api/monitors/${id}/dependencies` });
  const { body } = await client.get(`/api/monitors/${id}/dependencies`);
  expect(body.parents.map(({ type, id }) => `${type} ${id}`).toSorted()).toEqual([
    `agent ${agent.id}`,
    `monitor ${router}`,
  ]);
});

test("a dependency that can't be saved is explained", async () => {
  await i18next.changeLanguage("en-US");
  const { client, agent } = await start(silent);
  render(<Page />);
  const button = await screen.findByRole("button", { name: "Make it a dependency: Shop" });
  await client.delete(`/api/agents/${agent.id}`);
  await userEvent.click(button);
  await screen.findByText(/^The dependency was not saved: one of them is gone/);
});
