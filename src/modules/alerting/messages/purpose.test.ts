import { describe, expect, it } from "bun:test";
import type { Language } from "../../../shared/language";
import { MINUTE } from "../../../shared/limits";
import type { DeliveryPurpose, EventKind } from "../../../shared/notifications";
import { alertEvent as event } from "../../../testing/fixtures/alert-events";
import type { Reader } from "./format";
import { messageOf } from "./message";
import { messageFor, type Purpose } from "./purpose";

const AT = Date.UTC(2026, 0, 15, 12, 20, 0);
const BASE = "https://watch.example";

const TIME = "Jan 15, 2026, 12:20:00 UTC";

describe("a message for another purpose", () => {
  const english: Reader = { language: "en-US" };
  const down = event("down", { errorCode: "status", errorDetail: { actual: 503, expected: 200 } });
  const plain = messageOf({ event: down }, english, BASE);
  const outage = {
    acknowledgedBy: "alice",
    acknowledgedVia: null,
    acknowledgedUntil: AT + 3_600_000,
    acknowledgedNote: "on\nit",
  };
  const of = (purpose: DeliveryPurpose, more: Partial<Purpose> = {}, reader = english) =>
    messageFor(plain, { purpose, sequence: 4, event: down, dueAt: AT, name: "Shop", outage, ...more }, reader);

  it("says who acknowledged an outage, until when and why", () => {
    const since = `Down since ${TIME}`;
    const until = "No reminders until Jan 15, 2026, 13:20:00 UTC";
    expect(of("acknowledged")).toMatchObject({
      title: "🟣 Shop: acknowledged",
      lines: ["Acknowledged by alice", until, "Note: on it", since],
      link: plain.link,
      action: null,
    });
    const link = { ...outage, acknowledgedVia: { type: "telegram", name: "On call" }, acknowledgedUntil: null };
    expect(of("acknowledged", { outage: link }).lines).toEqual([
      "Acknowledged by alice, with the link in “On call”",
      "No reminders until it recovers",
      "Note: on it",
      since,
    ]);
    const unnamed = { ...link, acknowledgedBy: null, acknowledgedNote: null };
    expect(of("acknowledged", { outage: unnamed }).lines[0]).toBe("Acknowledged with the link in “On call”");
    expect(of("acknowledged", { outage: unnamed }, { language: "zh-CN" }).lines[0]).toBe("通过“On call”中的链接确认");
  });

  it("says that a target is unstable, what it is now, and when the next message comes", () => {
    expect(of("flapping")).toMatchObject({
      title: "🟠 Shop keeps changing, now down",
      lines: [
        "It changed 4 times within 30 minutes. Short changes are not sent: the next message comes once it has been down for 3 minutes, or after 15 minutes without a change.",
        "Latest: 🔴 Shop is down",
        ...plain.lines,
      ],
    });
    expect(of("flapping", { event: event("recovery") }).title).toBe("🟠 Shop keeps changing, now up");
    const full = of("flapping", { event: event("cpu_high", { figure: 96.5, threshold: 90 }) });
    expect(full.title).toBe("🟠 Shop keeps changing");
    expect(full.lines[0]).toBe(
      "It changed 4 times within 30 minutes. Short changes are not sent: the next message comes after 15 minutes without a change.",
    );
    const chinese = of("flapping", {}, { language: "zh-CN" });
    expect(chinese.title).toBe("🟠 Shop 状态反复变化，目前无法访问");
    expect(chinese.lines[0]).toBe(
      "30 分钟内变化了 4 次。短暂的变化不再通知：持续无法访问 3 分钟，或连续 15 分钟没有变化后再通知。",
    );
  });

  it("says that a target is stable again, which is no fresh recovery", () => {
    const settled = (kind: EventKind, reader = english) => {
      const given = event(kind, { since: AT - MINUTE });
      const message = messageOf({ event: given }, reader, BASE);
      const purpose = { purpose: "settled", sequence: 4, event: given, dueAt: AT + 15 * MINUTE } as const;
      return messageFor(message, { ...purpose, name: "Shop", outage: null }, reader);
    };
    expect(settled("recovery")).toMatchObject({
      title: "🟢 Shop is stable again: up for 15 minutes after 4 changes",
      lines: ["It was down for 1 minute.", `Up again at ${TIME}`],
    });
    expect(settled("recovery", { language: "zh-CN" }).title).toBe("🟢 Shop 恢复稳定：4 次变化后已正常运行 15 分钟");
    expect(settled("online").title).toBe("🟢 Shop is stable again: reporting for 15 minutes after 4 changes");
    expect(settled("online", { language: "zh-CN" }).title).toBe("🟢 Shop 恢复稳定：4 次变化后已正常上报 15 分钟");
    const normal = settled("cpu_normal");
    expect(normal.title).toBe("🟢 Shop is stable again: CPU is back to normal");
    expect(normal.lines[0]).toBe("It changed 4 times, and has been stable for 15 minutes.");
    expect(settled("cpu_normal", { language: "zh-CN" }).title).toBe("🟢 Shop 恢复稳定：CPU 使用率恢复正常");
    const high = settled("cpu_high");
    expect(high.title).toBe("🟠 Shop: CPU usage is high");
    expect(high.lines[0]).toBe("It changed 4 times, and has been stable for 15 minutes.");
  });

  it("says that an unstable target stays down, with the checks that failed and how often it changed before", () => {
    const lasting = { sequence: 5, failures: 3 };
    expect(of("settled", lasting)).toMatchObject({
      title: "🔴 Shop is down, and stays down",
      lines: [`3 checks in a row failed since ${TIME} (before that it changed 4 times)`, ...plain.lines.slice(0, -1)],
    });
    const chinese = of("settled", lasting, { language: "zh-CN" });
    expect(chinese.title).toBe("🔴 Shop 持续无法访问");
    expect(chinese.lines[0]).toEndWith("起连续 3 次检查失败（此前状态变化了 4 次）");
    const offline = of("settled", { ...lasting, failures: 0, event: event("offline") });
    expect(offline.title).toBe("🔴 Server Shop is offline, and stays offline");
    expect(offline.lines[0]).toBe(`Offline since ${TIME} (before that it changed 4 times)`);
  });

  it("says that an outage lasts, for how long, and how often it said so", () => {
    const reminder = { sequence: 2, dueAt: AT + 35 * MINUTE };
    expect(of("reminder", reminder)).toMatchObject({
      title: "🔴 Still down: Shop · for 35 minutes",
      lines: ["Reminder 2", ...plain.lines],
    });
    const chinese = of("reminder", reminder, { language: "zh-CN" });
    expect([chinese.title, chinese.lines[0]]).toEqual(["🔴 仍无法访问：Shop · 已持续 35 分钟", "第 2 次提醒"]);
    const offline = of("reminder", { ...reminder, event: event("offline") });
    expect(offline.title).toBe("🔴 Still offline: Shop · for 35 minutes");
    const full = of("reminder", { ...reminder, event: event("disk_high") });
    expect(full.title).toBe("🟠 Disk usage is still high: Shop · for 35 minutes");
  });

  it("says at a later step of the policy how long it was not acknowledged", () => {
    const step = { sequence: 1, dueAt: AT + 2 * MINUTE + 800 };
    expect(of("alert", { sequence: 0 })).toEqual(plain);
    expect(of("alert", step)).toEqual({ ...plain, lines: ["Not acknowledged for 2 minutes", ...plain.lines] });
    expect(of("alert", step, { language: "zh-CN" }).lines[0]).toBe("已 2 分钟无人确认");
    expect(of("alert", { ...step, event: { ...down, drill: true } })).toEqual(plain);
  });

  it("names a job as one that does not report, and never as one that cannot be reached", () => {
    const textOf = (errorCode: "heartbeat_missed" | "heartbeat_running" | "heartbeat_failed", language: Language) =>
      (["alert", "reminder", "flapping", "settled"] as const).map((purpose) => {
        const late = event("down", { errorCode });
        const message = messageOf({ event: late, isJob: true }, { language }, BASE);
        const given = {
          purpose,
          sequence: 0,
          event: late,
          dueAt: AT + MINUTE,
          name: "Shop",
          isJob: true,
          outage: null,
        };
        return messageFor(message, given, { language }).title;
      });
    expect(textOf("heartbeat_missed", "en-US")).toEqual([
      "🔴 Shop did not report: expected by 12:20:00 UTC",
      "🔴 Still no report: Shop · for 1 minute",
      "🟠 Shop keeps changing, now silent",
      "🔴 Shop does not report, and stays silent",
    ]);
    expect(textOf("heartbeat_missed", "zh-CN")).toEqual([
      "🔴 Shop 未按时上报（应在 12:20:00 UTC 前）",
      "🔴 仍未上报：Shop · 已持续 1 分钟",
      "🟠 Shop 状态反复变化，目前未上报",
      "🔴 Shop 持续未上报",
    ]);
    expect(textOf("heartbeat_running", "en-US")[0]).toBe("🔴 Shop did not finish: expected by 12:20:00 UTC");
    expect(textOf("heartbeat_running", "zh-CN")[0]).toBe("🔴 Shop 未按时完成（应在 12:20:00 UTC 前）");
    expect(textOf("heartbeat_failed", "en-US")[0]).toBe("🔴 Shop failed");
    expect(textOf("heartbeat_failed", "zh-CN")).toEqual([
      "🔴 Shop 任务失败",
      "🔴 任务仍失败：Shop · 已持续 1 分钟",
      "🟠 Shop 状态反复变化，目前失败",
      "🔴 Shop 任务持续失败",
    ]);
  });

  it("has the link that acknowledges its outage, if there is one", () => {
    const url = `${BASE}/acknowledge/1?t=x`;
    const subject = { event: down, acknowledgeLink: url };
    expect(messageOf(subject, english, BASE).action).toEqual({ label: "Acknowledge", url });
    expect(messageOf(subject, { language: "zh-CN" }, BASE).action).toEqual({ label: "确认", url });
    expect(plain.action).toBeUndefined();
  });
});
