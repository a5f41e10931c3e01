import { expect, it } from "bun:test";
import type { OutageCause } from "../../../shared/notifications";
import { alertEvent } from "../../../testing/fixtures/alert-events";
import { causeLine } from "./cause";
import { messageOf } from "./message";

const AT = Date.UTC(2026, 0, 15, 12, 2, 0);
const agent = { agentId: 1, name: "web-1" };

const CASES: [OutageCause, string, string][] = [
  [
    { kind: "agent_silent", ...agent, at: AT },
    "Probably: server web-1, silent since 20:02 UTC+8",
    "可能原因：服务器 web-1 自 20:02 UTC+8 起没有上报",
  ],
  [
    { kind: "agent_rebooted", ...agent, at: AT },
    "Probably: server web-1, restarted at 20:02 UTC+8",
    "可能原因：服务器 web-1 于 20:02 UTC+8 重启",
  ],
  [
    { kind: "agent_disk_full", ...agent, mount: "/var", percent: 99.6 },
    "Probably: server web-1, disk /var is 99.6% full",
    "可能原因：服务器 web-1 的磁盘 /var 已用 99.6%",
  ],
  [
    { kind: "agent_disk_full", ...agent, mount: null, percent: 100 },
    "Probably: server web-1, disk is 100% full",
    "可能原因：服务器 web-1 的磁盘已用 100%",
  ],
  [
    { kind: "shared_address", value: "203.0.113.7", others: 5 },
    "Probably one cause: 5 more are down on 203.0.113.7",
    "可能是同一原因：203.0.113.7 上还有 5 个监控故障",
  ],
  [
    { kind: "shared_host", value: "db-1", others: 1 },
    "Probably one cause: 1 more is down on db-1",
    "可能是同一原因：db-1 上还有 1 个监控故障",
  ],
  [
    { kind: "shared_domain", value: "example.com", others: 2 },
    "Probably one cause: 2 more are down under example.com",
    "可能是同一原因：example.com 下还有 2 个监控故障",
  ],
];

it.each(CASES)("the probable cause %j is one line in each language", (cause, english, chinese) => {
  expect(causeLine(cause, { language: "en-US", timeZone: "Asia/Shanghai" })).toBe(english);
  expect(causeLine(cause, { language: "zh-CN", timeZone: "Asia/Shanghai" })).toBe(chinese);
});

it("a name with line breaks stays in the line of the cause", () => {
  const cause = { kind: "agent_silent", agentId: 1, name: "web\n🟢 all is well", at: AT } as const;
  expect(causeLine(cause, { language: "en-US" })).toBe("Probably: server web 🟢 all is well, silent since 12:02 UTC");
});

it("the message of a monitor that is down ends with the probable cause, and others have none", () => {
  const cause = { kind: "shared_host", value: "db-1", others: 1 } as const;
  const linesOf = (kind: "down" | "recovery") =>
    messageOf({ event: alertEvent(kind), cause }, { language: "en-US" }, "").lines;
  expect(linesOf("down").at(-1)).toBe("Probably one cause: 1 more is down on db-1");
  expect(linesOf("recovery").join()).not.toContain("Probably");
});
