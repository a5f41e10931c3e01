import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { enrollAgent } from "../../../../src/testing/fixtures/agents";
import { addChannel, addPolicy, saveRule, telegramChannel } from "../../../../src/testing/fixtures/alerts";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { startI18n } from "../../../i18n";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { act, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import AlertsTab from "./alerts-tab";

setUpPage({ path: "/monitors/1" });

/** Bob's monitor shop with the channels Ops and Mail, and the policy Night. */
const start = async () => {
  const hub = await startHubAs("bob");
  const shop = await addMonitor(hub, hub.bob, { url: "https://shop.example/", name: "shop" });
  const [ops, mail] = [
    await addChannel(hub, hub.bob, telegramChannel("Ops")),
    await addChannel(hub, hub.bob, telegramChannel("Mail")),
  ];
  const night = await addPolicy(hub, hub.bob, {
    name: "Night",
    steps: [
      { after_minutes: 0, channels: [ops] },
      { after_minutes: 15, channels: [mail] },
    ],
    repeat_minutes: 60,
  });
  const rule = async () => (await hub.client.get(`/api/monitors/${shop}/alerts`)).body.rule;
  return { ...hub, shop, ops, mail, night, rule };
};

const open = (id: number, props: Partial<Parameters<typeof AlertsTab>[0]> = {}) =>
  render(
    <>
      <AlertsTab
        target={{ type: "monitor", id, name: "shop" }}
        muted={null}
        isOwn={true}
        onChanged={() => {}}
        {...props}
      />
      <Toasts />
    </>,
  );
const sentence = async () => (await screen.findByRole("region", { name: "When this monitor goes down" })).textContent;
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("the sentence says who is notified when, from which policy, in both languages", async () => {
  const hub = await start();
  const router = await addMonitor(hub, hub.bob, { url: "https://router.example/", name: "Gateway" });
  await hub.client.put(`/api/monitors/${hub.shop}/dependencies`, { parents: [{ type: "monitor", id: router }] });
  await saveRule(hub, hub.bob, { target_type: "global-monitor", policy_id: hub.night });
  open(hub.shop);
  // The dependencies are read by another call.
  await waitFor(async () => expect(await sentence()).toContain("Gateway"));
  expect(await sentence()).toBe(
    "When this monitor goes downOps immediately, then Mail after 15\u00a0min, with a reminder every 1\u00a0h." +
      "From policy Night; follows the default. While Gateway is down, only that one sends alerts.",
  );
  localStorage.setItem("i18nextLng", "zh-CN");
  await act(async () => startI18n());
  const region = await screen.findByRole("region", { name: "这个监控出现故障时" });
  await waitFor(() =>
    expect(region.textContent).toBe(
      "这个监控出现故障时立即通知 Ops，15\u00a0分钟后再通知 Mail，之后每 1\u00a0小时提醒一次。按策略 Night，沿用默认规则。Gateway 故障期间，只由它发送告警。",
    ),
  );
});

test("where no one is notified, the reason is said with the way to mend it", async () => {
  const { shop } = await start();
  open(shop);
  await screen.findByText("No one is notified: alerts were never turned on.");
  expect(screen.getByRole("link", { name: "Turn on alerts" }).getAttribute("href")).toBe("/notifications");
});

test("a rule of its own is switched on, saved, and changes the sentence", async () => {
  const { shop, ops, rule } = await start();
  open(shop);
  await userEvent.click(await screen.findByRole("switch", { name: "Follow the default" }));
  await userEvent.click(await screen.findByRole("checkbox", { name: "Ops" }));
  await userEvent.click(screen.getByRole("switch", { name: /^Critical/ }));
  await press("Save");
  await screen.findByText("Alert settings saved");
  expect(await rule()).toMatchObject({ overrideGlobal: true, enabled: true, channels: [ops], critical: true });
  await screen.findByText("Uses its own rule.");
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});

test("after a conflict the form shows what was stored by others, and the own changes can be used all the same", async () => {
  const hub = await start();
  const { shop, ops, mail, rule } = hub;
  const own = { target_type: "monitor", target_id: shop, override_global: true };
  await saveRule(hub, hub.bob, { ...own, channels: [ops] });
  open(shop);
  await userEvent.click(await screen.findByRole("checkbox", { name: "It recovers" }));
  await saveRule(hub, hub.bob, { ...own, channels: [mail] });
  await press("Save");
  await screen.findByText(/^Changed elsewhere/);
  const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  expect([box("Ops").checked, box("Mail").checked, box("It recovers").checked]).toEqual([false, true, true]);
  await press("Use my changes");
  expect([box("Mail").checked, box("It recovers").checked]).toEqual([true, false]);
  await press("Save");
  await screen.findByText("Alert settings saved");
  expect(await rule()).toMatchObject({ channels: [mail], onRecovery: false });
});

test("muting changes the sentence, and a target that was deleted elsewhere is shown as missing", async () => {
  const hub = await start();
  await saveRule(hub, hub.bob, { target_type: "global-monitor", channels: [hub.ops] });
  open(hub.shop);
  await screen.findByText("Not muted");
  await press("Mute: shop");
  await userEvent.click(screen.getByRole("menuitem", { name: "Mute indefinitely" }));
  await waitFor(async () => expect(await sentence()).toContain("Follows the default. Muted."));
  await hub.client.delete(`/api/monitors/${hub.shop}`);
  await press("Mute: shop (Muted)");
  await userEvent.click(screen.getByRole("menuitem", { name: "Unmute" }));
  await screen.findByText("Failed to load the alert settings");
});

test("a server's thresholds have the last figure beside each", async () => {
  const hub = await start();
  const server = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  await saveRule(hub, hub.bob, {
    ...{ target_type: "global-agent", channels: [hub.ops], on_cpu_threshold: true, cpu_threshold: 80 },
  });
  await hub.client.post("/api/thresholds", {
    scope: "agent",
    agent_id: server.id,
    metric: "disk",
    threshold: 95,
    minutes: 0,
  });
  const figures = {
    ...{ cpu_usage: 81.5, memory_total: 100, memory_used: 40, swap: null, disk_total: 100, disk_used: 20 },
    ...{ disks: [{ mount: "/", used: 30, total: 100 }], load_average: null, processors: 4, temperatures: null },
  };
  open(server.id, { target: { type: "agent", id: server.id, name: "web-1" }, figures });
  const table = within(await screen.findByRole("table", { name: "Thresholds" }));
  await table.findByText("81.5%");
  expect(table.getAllByRole("row").map(({ textContent }) => textContent?.slice(0, 80))).toEqual([
    expect.stringContaining("Now"),
    expect.stringContaining("30%"),
    expect.stringContaining("81.5%"),
  ]);
});

/** A server with a figure of each kind, and the cells of its thresholds without the present figures. */
const startServer = async (rule: object, thresholds: object[] = []) => {
  const hub = await start();
  const { id } = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  await saveRule(hub, hub.bob, { target_type: "global-agent", channels: [hub.ops], ...rule });
  for (const threshold of thresholds)
    await hub.client.post("/api/thresholds", { scope: "agent", agent_id: id, minutes: 0, ...threshold });
  const figures = {
    ...{ cpu_usage: 81.5, memory_total: 100, memory_used: 40, swap: null, disk_total: 200, disk_used: 120 },
    disks: [
      { mount: "/", used: 30, total: 100 },
      { mount: "/data", used: 90, total: 100 },
    ],
    ...{ load_average: null, processors: 4, temperatures: null },
  };
  open(id, { target: { type: "agent", id, name: "web-1" }, figures });
  const rows = async () => {
    const table = within(await screen.findByRole("table", { name: "Thresholds" }));
    return table
      .getAllByRole("row")
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent));
  };
  return { ...hub, id, rows };
};

test("a threshold of a rule says which rule it belongs to, and that two reports have to reach it", async () => {
  const { rows } = await startServer({ on_cpu_threshold: true, cpu_threshold: 80, on_disk_threshold: true }, [
    { metric: "disk", subject: "/data", threshold: 95 },
  ]);
  await waitFor(async () =>
    expect(await rows()).toEqual([
      ["Disk /data", "web-1", "90%", "95%", "90%", "one sample"],
      ["CPU", "Default rule", "81.5%", "80%", "75%", "two reports"],
      ["Fullest disk", "Default rule", "30%", "90%", "85%", "two reports"],
    ]),
  );
});

test("a figure that the rule does not select says that a threshold counts all the same", async () => {
  const { rows } = await startServer({ on_cpu_threshold: false }, [{ metric: "cpu", threshold: 95 }]);
  await waitFor(async () => expect(await rows()).toEqual([["CPU", "web-1", "81.5%", "95%", "90%", "one sample"]]));
  await userEvent.click(await screen.findByRole("switch", { name: "Follow the default" }));
  const cpu = await screen.findByRole<HTMLInputElement>("checkbox", { name: /^CPU reaches/ });
  expect(cpu.checked).toBe(false);
  await screen.findByText(
    "The threshold of 95% in the table “Thresholds” counts instead, whether this is selected or not.",
  );
});

test("thresholds of a server without alerts say that they send none", async () => {
  const { rows } = await startServer({ enabled: false, on_cpu_threshold: true }, [{ metric: "memory", threshold: 95 }]);
  await screen.findByText("Alerts are off in the rule, so reaching one of these sends nothing.");
  expect(await rows()).toHaveLength(1);
});

test("the last messages are listed with how each ended and a link to its outage", async () => {
  const hub = await start();
  open(hub.shop);
  await screen.findByText("Nothing yet. Send a drill to see what arrives.");
  await press("Send a drill");
  await screen.findByRole("dialog", { name: "Drill: shop" });
});

test("an administrator sees no rule of another user, but what the target depends on", async () => {
  const hub = await startHubAs("alice");
  const shop = await addMonitor(hub, hub.bob, { url: "https://shop.example/", name: "shop" });
  open(shop, { isOwn: false });
  await screen.findByText(/^The owner’s rule decides who is notified/);
  await screen.findByRole("heading", { name: "Dependencies" });
});
