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
    "Server web-1 has not reported since 20:02:00 UTC+8, so it is probably down",
    "服务器 web-1 自 20:02:00 UTC+8 起没有上报，可能已宕机",
  ],
  [
    { kind: "agent_rebooted", ...agent, at: AT },
    "Server web-1 was restarted at 20:02 UTC+8: probably the cause",
    "服务器 web-1 于 20:02 UTC+8 重启过，可能是故障原因",
  ],
  [
    { kind: "agent_disk_full", ...agent, mount: "/var", percent: 99.6 },
    "Disk /var of server web-1 is 99.6% full: probably the cause",
    "服务器 web-1 的磁盘 /var 已用 99.6%，可能是故障原因",
  ],
  [
    { kind: "agent_disk_full", ...agent, mount: null, percent: 100 },
    "The disk of server web-1 is 100% full: probably the cause",
    "服务器 web-1 的磁盘已用 100%，可能是故障原因",
  ],
  [
    { kind: "shared_address", value: "203.0.113.7", others: 4 },
    "Probably one cause: 5 monitors on 203.0.113.7 are down",
    "可能是同一原因：203.0.113.7 上有 5 个监控故障",
  ],
  [
    { kind: "shared_host", value: "db-1", others: 2, total: 5 },
    "Probably one cause: 3 of 5 monitors on db-1 are down",
    "可能是同一原因：db-1 上的 5 个监控中有 3 个故障",
  ],
  [
    { kind: "shared_domain", value: "example.com", others: 2, total: 3 },
    "Probably one cause: all 3 monitors under example.com are down",
    "可能是同一原因：example.com 下的 3 个监控全部故障",
  ],
];

it.each(CASES)("the probable cause %j is one line in each language", (cause, english, chinese) => {
  expect(causeLine(cause, { language: "en-US", timeZone: "Asia/Shanghai" })).toBe(english);
  expect(causeLine(cause, { language: "zh-CN", timeZone: "Asia/Shanghai" })).toBe(chinese);
});

it("a name with line breaks stays in the line of the cause", () => {
  const cause = { kind: "agent_silent", agentId: 1, name: "web\n🟢 all is well", at: AT } as const;
  expect(causeLine(cause, { language: "en-US" })).toBe(
    "Server web 🟢 all is well has not reported since 12:02:00 UTC, so it is probably down",
  );
});

it("the message of a monitor that is down ends with the probable cause, and others have none", () => {
  const cause = { kind: "shared_host", value: "db-1", others: 1, total: 2 } as const;
  const linesOf = (kind: "down" | "recovery") =>
    messageOf({ event: alertEvent(kind), cause }, { language: "en-US" }, "").lines;
  expect(linesOf("down").at(-1)).toBe("Probably one cause: all 2 monitors on db-1 are down");
  expect(linesOf("recovery").join()).not.toContain("Probably");
});
