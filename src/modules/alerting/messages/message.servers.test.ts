import { expect, it } from "bun:test";
import { DAY } from "../../../shared/limits";
import { type AlertFacts, EVENT_KINDS, type EventKind } from "../../../shared/notifications";
import { START } from "../../../testing/clock";
import { alertEvent } from "../../../testing/fixtures/alert-events";
import { incidentKey } from "../channels/kind";
import { digestOf } from "./digest";
import { type AlertEvent, messageOf } from "./message";
import { messageFor } from "./purpose";

const event = (kind: EventKind, facts: Partial<AlertEvent> = {}): AlertEvent =>
  alertEvent(kind, { targetType: "agent", targetName: "web-1", ...facts });

const PROCESSES: AlertFacts["processes"] = {
  cpu: [
    { name: "ffmpeg", value: 61.4 },
    { name: "post\ngres", value: 22 },
  ],
  memory: [{ name: "postgres", value: 3 * 1024 ** 3 }],
};
const SOON = new Date(START + 2 * DAY).toISOString();

const cases: [AlertEvent, en: string[], zh: string[]][] = [
  [
    event("cpu_high", { figure: 97, threshold: 90, facts: { processes: PROCESSES } }),
    ["🟠 web-1: CPU usage is high", "CPU: 97% (threshold 90%)", "Most used by: ffmpeg 61%, post gres 22%"],
    ["🟠 web-1：CPU 使用率过高", "CPU：97%（阈值 90%）", "占用最多：ffmpeg 61%、post gres 22%"],
  ],
  [
    event("swap_high", { figure: 81, threshold: 80, facts: { processes: PROCESSES } }),
    ["🟠 web-1: swap usage is high", "Swap: 81% (threshold 80%)", "Most used by: postgres 3 GB"],
    ["🟠 web-1：交换空间使用率过高", "交换空间：81%（阈值 80%）", "占用最多：postgres 3 GB"],
  ],
  [
    event("load_high", { figure: 2.456, threshold: 1.5 }),
    ["🟠 web-1: load is high", "Load per core: 2.46 (threshold 1.5)"],
    ["🟠 web-1：负载过高", "每核负载：2.46（阈值 1.5）"],
  ],
  [
    event("temperature_high", { figure: 91.5, threshold: 85, subject: "coretemp/Package" }),
    ["🟠 web-1: temperature is high", "Temperature coretemp/Package: 91.5°C (threshold 85°C)"],
    ["🟠 web-1：温度过高", "温度 coretemp/Package：91.5°C（阈值 85°C）"],
  ],
  [
    event("container_failed", { subject: "nginx\u202e", facts: { state: "exited" } }),
    ["🟠 web-1: container nginx is not working", "State: exited"],
    ["🟠 web-1：容器 nginx 异常", "状态：已退出"],
  ],
  [
    event("service_failed", { subject: "cron.service" }),
    ["🟠 web-1: service cron.service failed"],
    ["🟠 web-1：服务 cron.service 运行失败"],
  ],
  [
    event("disk_filling", { figure: 87.5, mount: "/var", subject: "/var", facts: { exhausted_at: SOON } }),
    ["🟠 web-1: disk /var is filling up", "Used: 87.5%", "Full on Jan 17, 2026 at this rate"],
    ["🟠 web-1：磁盘 /var 即将写满", "已用：87.5%", "按目前速度将于 2026年1月17日 写满"],
  ],
  [
    event("traffic_high", { figure: 90, threshold: 90, facts: { exhausted_at: SOON } }),
    ["🟠 web-1: traffic quota is running low", "Used: 90%", "Runs out Jan 17, 2026 at this rate"],
    ["🟠 web-1：流量配额用量过高", "已用：90%", "按目前速度将于 2026年1月17日 用完"],
  ],
  [
    event("contract_ending", { figure: 14, threshold: 14, facts: { ends_on: "2026-01-29" } }),
    ["🟠 web-1: the contract ends soon", "It ends on Jan 29, 2026 (14 days left)"],
    ["🟠 web-1：即将到期", "到期日：2026年1月29日（剩余 14 天）"],
  ],
];

it.each(cases)("a message about a server's part or plan names it and what is known of it: %#", (alert, en, zh) => {
  const linesIn = (language: "en-US" | "zh-CN") => {
    const { title, lines } = messageOf({ event: alert }, { language }, "");
    return [title, ...lines.slice(0, -1)];
  };
  expect([linesIn("en-US"), linesIn("zh-CN")]).toEqual([en, zh]);
});

it("messages about parts of one server are about incidents of their own, from their beginning to their end", () => {
  const keyOf = (kind: EventKind, subject: string) => incidentKey({ event: event(kind, { subject }), link: null });
  expect(keyOf("container_failed", "nginx")).toBe(keyOf("container_recovered", "nginx"));
  expect(keyOf("container_failed", "nginx")).not.toBe(keyOf("container_failed", "redis"));
  expect(keyOf("container_failed", "x".repeat(5000))?.length).toBeLessThan(80);
  expect(keyOf("cpu_high", "")).toBe("wakeful-hub-agent-7-cpu");
});

it("a digest counts the parts of a server by themselves, and names each", () => {
  const alerts = ["nginx", "redis"].map((subject) => ({ event: event("container_failed", { subject }) }));
  const { title, lines } = digestOf(alerts, { language: "en-US" }, "", { fits: () => true });
  expect([title, lines[0]]).toEqual(["🟠 web-1: 2 parts are not working", "nginx, redis"]);
});

it("a reminder names the part that still does not work", () => {
  const alert = event("service_failed", { subject: "cron.service" });
  const plain = messageOf({ event: alert }, { language: "en-US" }, "");
  const purpose = {
    purpose: "reminder",
    sequence: 1,
    event: alert,
    dueAt: START,
    name: "web-1",
    outage: null,
  } as const;
  expect(messageFor(plain, purpose, { language: "en-US" }).title).toBe(
    "🟠 Service cron.service is still failed: web-1",
  );
});

it("every kind of event has a title and a status in both languages", () => {
  for (const kind of EVENT_KINDS)
    for (const language of ["en-US", "zh-CN"] as const)
      expect(messageOf({ event: event(kind) }, { language }, "").title).toContain(
        kind.startsWith("hub_") ? "Wakeful" : "web-1",
      );
});
