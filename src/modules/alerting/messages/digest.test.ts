import { describe, expect, it } from "bun:test";
import { LANGUAGES } from "../../../shared/language";
import { MINUTE } from "../../../shared/limits";
import type { EventKind } from "../../../shared/notifications";
import { START as AT } from "../../../testing/clock";
import { channelKinds } from "../channels/registry";
import { fits, renderMessage } from "../channels/text";
import { type DigestSubject, digestOf } from "./digest";
import type { AlertEvent } from "./message";

const BASE = "https://watch.example";

const subject = (kind: EventKind, targetId: number, facts: Partial<AlertEvent> = {}): DigestSubject => ({
  event: {
    ...{
      id: 0,
      userId: 1,
      teamId: 1,
      kind,
      targetId,
      at: AT,
      since: null,
      figure: null,
      threshold: null,
      mount: null,
      subject: "",
      facts: null,
    },
    targetType: ["down", "recovery"].includes(kind) ? "monitor" : "agent",
    targetName: `shop-${targetId}`,
    ...(kind === "down"
      ? { errorCode: "status" as const, errorDetail: { actual: 503, expected: "200" } }
      : { errorCode: null, errorDetail: null }),
    ...facts,
  },
});

const many = (kind: EventKind, count: number): DigestSubject[] =>
  Array.from({ length: count }, (_, index) => subject(kind, index + 1));

const english = (subjects: DigestSubject[]) => digestOf(subjects, { language: "en-US" }, BASE, { fits: () => true });
const chinese = (subjects: DigestSubject[]) => digestOf(subjects, { language: "zh-CN" }, BASE, { fits: () => true });

describe("a message about several events", () => {
  it("counts those that are down, and names the first ten with the time and reason", () => {
    const subjects = many("down", 14);
    expect(english(subjects)).toEqual({
      title: "🔴 14 down",
      lines: [
        "shop-1, shop-2, shop-3, shop-4, shop-5, shop-6, shop-7, shop-8, shop-9, shop-10 … and 4 more",
        "Down since Jan 15, 2026, 12:20:00 UTC",
        "Reason: status 503, expected 200",
      ],
      link: `${BASE}/dashboard`,
      severity: "critical",
    });
    expect(chinese(subjects)).toMatchObject({
      title: "🔴 14 个故障",
      lines: [
        "shop-1、shop-2、shop-3、shop-4、shop-5、shop-6、shop-7、shop-8、shop-9、shop-10 等 14 个",
        "故障开始时间：2026年1月15日 12:20:00 UTC",
        "原因：状态码 503，期望 200",
      ],
    });
  });

  it("begins with the server that explains all of them, and with how they fail", () => {
    const cause = { kind: "agent_silent", agentId: 7, name: "web-1", at: AT - MINUTE, total: 20 } as const;
    const timeout = { errorCode: "timeout", errorDetail: { seconds: 10, phase: "connect" } } as const;
    const subjects = Array.from({ length: 20 }, (_, index) => ({ ...subject("down", index + 1, timeout), cause }));
    const title =
      "🔴 Server web-1 is probably down: all 20 monitors on it time out and it has not reported since 12:19:00 UTC";
    expect(english(subjects)).toMatchObject({
      title,
      lines: [
        expect.stringMatching(/^shop-1, .* and 10 more$/),
        expect.any(String),
        "Reason: no connection within 10 s",
      ],
    });
    expect(chinese(subjects).title).toBe(
      "🔴 服务器 web-1 可能已宕机：其上 20 个监控全部超时，且自 12:19:00 UTC 起没有上报",
    );
    expect(english([...subjects, subject("offline", 7)]).title).toBe(title);
    expect(english(subjects.slice(5)).title).toContain("web-1 is probably down: 15 monitors on it time out");
    expect(english([...subjects, subject("offline", 8)]).title).toBe("🔴 20 down · 🔴 1 offline");
    expect(english([...subjects, subject("recovery", 30)]).title).toBe("🔴 20 down · 🟢 1 up again");
  });

  it("begins with the host that explains all of them where no monitor of it is known to be up", () => {
    const on = (total?: number) =>
      ({ kind: "shared_host", value: "db-1", others: 3, ...(total && { total }) }) as const;
    const failing = (errorCodes: readonly AlertEvent["errorCode"][], total?: number) =>
      errorCodes.map((errorCode, index) => ({
        ...subject("down", index, { errorCode, errorDetail: null }),
        cause: on(total),
      }));
    const codes = ["timeout", "unreachable_host", "ping_lost", "timeout"] as const;
    expect(english(failing(codes, 4)).title).toBe("🔴 db-1 is probably down: all 4 monitors on it cannot be reached");
    expect(chinese(failing(codes, 4)).title).toBe("🔴 db-1 可能整机故障：其上 4 个监控全部无法到达");
    expect(english(failing(codes)).title).toBe("🔴 db-1 is probably down: 4 monitors on it cannot be reached");
    expect(english(failing(codes, 6))).toMatchObject({ title: "🔴 4 down" });
    expect(english(failing(codes, 6)).lines.at(-1)).toBe("Probably one cause: all are on db-1");
    // The machine answers.
    expect(english(failing([...codes, "refused"], 5)).title).toBe("🔴 5 down");
  });

  it("has the last state of each target, and says how many changes there were", () => {
    const subjects = [
      ...many("down", 3),
      subject("recovery", 1),
      subject("down", 1, { at: AT + 5 * MINUTE }),
      subject("recovery", 2, { at: AT + MINUTE }),
    ];
    expect(english(subjects)).toMatchObject({
      title: "🔴 2 down · 🟢 1 up again",
      lines: [
        "🔴 shop-3, shop-1",
        "Down since Jan 15, 2026, 12:20:00 UTC (the first)",
        "Reason: status 503, expected 200",
        "🟢 shop-2",
        "Up again at Jan 15, 2026, 12:21:00 UTC",
        "6 changes are in this message.",
      ],
    });
    expect(chinese(subjects).lines.at(-1)).toBe("本条消息合并了 6 次变化。");
  });

  it("counts each figure of a server by itself, beside whether it reports", () => {
    const subjects = [
      subject("disk_high", 1, { figure: 93.2, threshold: 90, mount: "/var" }),
      subject("cpu_high", 1, { figure: 97, threshold: 90 }),
      subject("cpu_normal", 1, { figure: 50, threshold: 90 }),
      subject("offline", 1),
    ];
    expect(english(subjects)).toMatchObject({
      title: "🔴 1 offline · 🟠 1 over a threshold …",
      severity: "critical",
      lines: [
        "🔴 shop-1",
        "Offline since Jan 15, 2026, 12:20:00 UTC",
        "🟠 shop-1 (Disk /var 93.2%)",
        "Since Jan 15, 2026, 12:20:00 UTC",
        "🟢 1 back to normal: shop-1 (CPU 50%)",
        "Back to normal at Jan 15, 2026, 12:20:00 UTC",
        "4 changes are in this message.",
      ],
    });
    expect(chinese(subjects).lines[2]).toBe("🟠 shop-1（磁盘 /var 93.2%）");
  });

  it("is as urgent as the worst last state in it", () => {
    const high = subject("cpu_high", 1, { figure: 97, threshold: 90 });
    expect(english([subject("recovery", 1), subject("recovery", 2)]).severity).toBe("resolved");
    expect(english([subject("down", 1), subject("recovery", 1), high]).severity).toBe("warning");
    expect(english([high, subject("down", 1), subject("recovery", 3)]).severity).toBe("critical");
  });

  it("has the names of each reason in a line, the most frequent first", () => {
    const slow = subject("down", 9, { errorCode: "timeout", errorDetail: { seconds: 30 } });
    expect(english([slow, ...many("down", 6)]).lines.slice(0, 3)).toEqual([
      "shop-1, shop-2, shop-3, shop-4, shop-5 … and 1 more: status 503, expected 200",
      "shop-9: no complete answer within 30 s",
      "Down since Jan 15, 2026, 12:20:00 UTC",
    ]);
    const codes = ["refused", "reset", "tls_expired", "json_invalid", "dns_no_name", "grpc_not_serving"] as const;
    const mixed = codes.map((errorCode, index) => subject("down", index, { errorCode, errorDetail: null }));
    expect(english([...mixed, subject("recovery", 20)]).lines.slice(0, 7)).toEqual([
      "🔴 shop-0: connection refused",
      "🔴 shop-1: the connection was closed before the answer was complete",
      "🔴 shop-2: the certificate has expired",
      "🔴 shop-3: the body is not JSON",
      "🔴 shop-4: the name does not exist",
      "🔴 1 more for other reasons",
      "Down since Jan 15, 2026, 12:20:00 UTC",
    ]);
    expect(chinese(mixed).lines[5]).toBe("另有 1 个因其他原因故障");
  });

  it("says only which reason most of them have where there is no room for more", () => {
    const slow = subject("down", 3, { errorCode: "timeout", errorDetail: { seconds: 30 } });
    const short = (language: "en-US" | "zh-CN") =>
      digestOf([...many("down", 2), slow], { language }, BASE, { fits: ({ lines }) => lines[0] === "" }).lines;
    expect(short("en-US")).toContain("Reason of 2: status 503, expected 200");
    expect(short("zh-CN")).toContain("其中 2 个的原因：状态码 503，期望 200");
  });

  it("names each probable cause once", () => {
    const cause = (others: number) => ({ kind: "shared_address", value: "203.0.113.7", others, total: 12 }) as const;
    const subjects = many("down", 4).map((one, index) => ({ ...one, cause: cause(index) }));
    expect(english(subjects).lines.slice(3)).toEqual(["Probably one cause: all are on 203.0.113.7"]);
    const some = subjects.map((one, index) => (index < 3 ? one : { ...one, cause: null }));
    expect(english(some).lines.slice(3)).toEqual(["Probably one cause: 3 are on 203.0.113.7"]);
    const one = subjects.map((subject, index) =>
      index === 0 ? { ...subject, cause: cause(8) } : { ...subject, cause: null },
    );
    expect(english(one).lines.slice(3)).toEqual(["Probably one cause: 9 of 12 monitors on 203.0.113.7 are down"]);
  });

  it("names what is down because of them", () => {
    const explained = { names: ["api", "www"], total: 4 };
    const subjects = [...many("down", 2).map((one) => ({ ...one, explained })), subject("recovery", 3)];
    expect(english(subjects).lines).toContain("Also down because of them: api, www, api … and 5 more");
  });

  it("lists what is acknowledged and what changes too often by itself", () => {
    const subjects: DigestSubject[] = [
      { ...subject("down", 1), purpose: "acknowledged" },
      { ...subject("recovery", 2), purpose: "flapping" },
    ];
    expect(english(subjects)).toMatchObject({ title: "🟠 1 keeps changing · 🟣 1 acknowledged" });
  });

  it("tells targets that are stable again from those that have just recovered", () => {
    const stable = (targetId: number, minutes: number): DigestSubject => ({
      ...subject("recovery", targetId, { at: AT - minutes * MINUTE }),
      purpose: "settled",
    });
    const subjects = [stable(1, 16), stable(2, 15), subject("recovery", 3)];
    expect(english(subjects)).toMatchObject({
      title: "🟢 1 up again · 🟢 2 stable again",
      lines: [
        "🟢 1 up again: shop-3",
        "Up again at Jan 15, 2026, 12:20:00 UTC",
        "🟢 2 stable again: shop-1, shop-2",
        "No change since Jan 15, 2026, 12:05:00 UTC",
      ],
      severity: "resolved",
    });
    expect(chinese(subjects.slice(0, 2))).toMatchObject({
      title: "🟢 2 个恢复稳定",
      lines: ["shop-1、shop-2", "2026年1月15日 12:05:00 UTC 起没有变化"],
    });
    expect(english([{ ...subject("down", 4), purpose: "settled" }, subject("down", 5)]).title).toBe("🔴 2 down");
  });

  it.each([...channelKinds.values()].filter(({ grouped }) => grouped !== false))(
    "fits into what $kind takes, with a title of at most 32 characters for its states: %#",
    ({ text: format }) => {
      const kinds = ["down", "offline", "recovery", "online"] as const;
      const wide = { targetName: "监控<&>*".repeat(40), figure: 97.5, threshold: 90, mount: "/数据/".repeat(50) };
      const figures = (["cpu", "memory", "disk"] as const).map((metric) => `${metric}_high` as const);
      const subjects = [...kinds, ...figures].flatMap((kind, offset) =>
        Array.from({ length: 28 }, (_, index) => subject(kind, offset * 100 + index, wide)),
      );
      const flapping = subjects.map((one) => ({ ...one, purpose: "flapping" as const }));
      for (const language of LANGUAGES)
        for (const list of [subjects, flapping]) {
          const message = digestOf(list, { language }, BASE, { fits: (one) => fits(one, format) });
          expect(fits(message, format)).toBe(true);
          const { text } = renderMessage(message, format);
          const size = format.unit === "bytes" ? Buffer.byteLength(text) : text.length;
          expect(size).toBeLessThanOrEqual(format.limit);
          expect([...message.title].length).toBeLessThanOrEqual(32);
        }
    },
  );
});

it("a message about parts of one server names the server once, and links to it", () => {
  const parts = (kind: EventKind, count: number) =>
    Array.from({ length: count }, (_, index) => subject(kind, 4, { subject: `app-${index + 1}` }));
  expect(english(parts("container_failed", 47))).toMatchObject({
    title: "🟠 shop-4: 47 parts are not working",
    lines: [
      "app-1, app-2, app-3, app-4, app-5, app-6, app-7, app-8, app-9, app-10 … and 37 more",
      expect.stringContaining("Jan 15, 2026"),
    ],
    link: `${BASE}/agents/4`,
  });
  const mixed = [...parts("container_recovered", 2), subject("service_failed", 4, { subject: "cron.service" })];
  expect(chinese(mixed).title).toBe("🟠 shop-4：1 项异常 · 🟢 shop-4：2 项恢复正常");
  expect(english([...mixed, subject("container_failed", 5, { subject: "app" })]).title).toBe(
    "🟠 2 with a failed part · 🟢 2 back to normal",
  );
});
