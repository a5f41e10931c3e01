import { describe, expect, it } from "bun:test";
import { LANGUAGES } from "../../../shared/language";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { EVENT_KINDS } from "../../../shared/notifications";
import { alertEvent as event } from "../../../testing/fixtures/alert-events";
import type { Reader } from "./format";
import { type AlertEvent, messageOf as messageOfSubject, testMessage } from "./message";

const messageOf = (event: AlertEvent, reader: Reader, base: string, target: string | null = null) =>
  messageOfSubject({ event, target }, reader, base);

const AT = Date.UTC(2026, 0, 15, 12, 20, 0);
const BASE = "https://watch.example";

const TIME = { "en-US": "Jan 15, 2026, 12:20:00 UTC", "zh-CN": "2026年1月15日 12:20:00 UTC" };
const EARLIER = { "en-US": "Jan 15, 2026, 12:17:55 UTC", "zh-CN": "2026年1月15日 12:17:55 UTC" };
const since = AT - 125_000;
const high = { figure: 96.5, threshold: 90 };
const low = { figure: 81, threshold: 90, since };

describe("a message", () => {
  const cases: [AlertEvent, { en: [string, string[]]; zh: [string, string[]] }][] = [
    [
      event("down", { errorCode: "status", errorDetail: { actual: 503, expected: 200 } }),
      {
        en: ["🔴 Shop is down", ["Reason: status 503, expected 200", `Down since ${TIME["en-US"]}`]],
        zh: ["🔴 Shop 无法访问", ["原因：状态码 503，期望 200", `故障开始时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("recovery", { since, errorCode: "refused" }),
      {
        en: ["🟢 Shop is up again", ["It was down for 2 minutes 5 seconds.", `Up again at ${TIME["en-US"]}`]],
        zh: ["🟢 Shop 已恢复", ["故障持续：2 分钟 5 秒", `恢复时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("down", { errorCode: "refused", startedAfter: AT - 60_000 }),
      {
        en: ["🔴 Shop is down", ["Reason: connection refused", "Down since Jan 15, 2026, 12:19:00–12:20:00 UTC"]],
        zh: ["🔴 Shop 无法访问", ["原因：连接被拒绝", "故障开始时间：2026年1月15日 12:19:00–12:20:00 UTC"]],
      },
    ],
    [
      event("recovery", { since: AT - 190_000, startedAfter: AT - 239_000 }),
      {
        en: ["🟢 Shop is up again", ["It was down for 3–4 minutes.", `Up again at ${TIME["en-US"]}`]],
        zh: ["🟢 Shop 已恢复", ["故障持续：3–4 分钟", `恢复时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("slow", { errorCode: "slow_response", errorDetail: { limit: 800, slow: 3, checks: 5 } }),
      {
        en: [
          "🟠 Shop responds slowly",
          ["Reason: the response took longer than 800 ms in 3 of 5 checks", `Since ${TIME["en-US"]}`],
        ],
        zh: ["🟠 Shop 响应缓慢", ["原因：最近 5 次检查中有 3 次响应超过 800 毫秒", `发生时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("cert_expiring", { errorCode: "certificate_expiring", errorDetail: { days: 7 } }),
      {
        en: [
          "🟠 Shop: the certificate expires soon",
          ["Reason: the certificate expires soon (days left: 7)", `Detected: ${TIME["en-US"]}`],
        ],
        zh: ["🟠 Shop：证书即将过期", ["原因：证书即将过期（剩余 7 天）", `发现时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("cert_renewed", { since }),
      {
        en: ["🟢 Shop: the certificate was renewed", [`Renewal noticed at ${TIME["en-US"]}`]],
        zh: ["🟢 Shop：证书已更新", [`发现更新的时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("offline", { since }),
      {
        en: ["🔴 No report from server Shop for 2 minutes 5 seconds", [`Last report: ${EARLIER["en-US"]}`]],
        zh: ["🔴 服务器 Shop 已 2 分钟 5 秒没有上报", [`最后上报：${EARLIER["zh-CN"]}`]],
      },
    ],
    [
      event("online", { since }),
      {
        en: ["🟢 Server Shop reports again", ["It was offline for 2 minutes 5 seconds.", `Back at ${TIME["en-US"]}`]],
        zh: ["🟢 服务器 Shop 已恢复上报", ["离线时长：2 分钟 5 秒", `恢复上报时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("online", { since, facts: { restarted_at: new Date(AT - 60_000).toISOString() } }),
      {
        en: [
          "🟢 Server Shop reports again",
          [
            "Restarted at Jan 15, 2026, 12:19:00 UTC",
            "It was offline for 2 minutes 5 seconds.",
            `Back at ${TIME["en-US"]}`,
          ],
        ],
        zh: [
          "🟢 服务器 Shop 已恢复上报",
          ["重启时间：2026年1月15日 12:19:00 UTC", "离线时长：2 分钟 5 秒", `恢复上报时间：${TIME["zh-CN"]}`],
        ],
      },
    ],
    [
      event("offline", { since, facts: { clock_offset: 3600 } }),
      {
        en: [
          "🔴 No report from server Shop for 2 minutes 5 seconds",
          [`Last report: ${EARLIER["en-US"]}`, "Its clock is 1 hour ahead"],
        ],
        zh: ["🔴 服务器 Shop 已 2 分钟 5 秒没有上报", [`最后上报：${EARLIER["zh-CN"]}`, "服务器时钟比控制台快 1 小时"]],
      },
    ],
    [
      event("online", { since, facts: { clock_offset: -90 } }),
      {
        en: [
          "🟢 Server Shop reports again",
          [
            "Its clock is 1 minute 30 seconds behind",
            "It was offline for 2 minutes 5 seconds.",
            `Back at ${TIME["en-US"]}`,
          ],
        ],
        zh: [
          "🟢 服务器 Shop 已恢复上报",
          ["服务器时钟比控制台慢 1 分钟 30 秒", "离线时长：2 分钟 5 秒", `恢复上报时间：${TIME["zh-CN"]}`],
        ],
      },
    ],
    [
      event("cpu_high", high),
      {
        en: ["🟠 Shop: CPU usage is high", ["CPU: 96.5% (threshold 90%)", `Since ${TIME["en-US"]}`]],
        zh: ["🟠 Shop：CPU 使用率过高", ["CPU：96.5%（阈值 90%）", `发生时间：${TIME["zh-CN"]}`]],
      },
    ],
    [
      event("memory_normal", low),
      {
        en: [
          "🟢 Shop: memory is back to normal",
          ["Memory: 81% (threshold 90%)", "It lasted 2 minutes 5 seconds.", `Back to normal at ${TIME["en-US"]}`],
        ],
        zh: [
          "🟢 Shop：内存使用率恢复正常",
          ["内存：81%（阈值 90%）", "持续时间：2 分钟 5 秒", `恢复时间：${TIME["zh-CN"]}`],
        ],
      },
    ],
    [
      event("disk_high", { ...high, mount: "/var" }),
      {
        en: ["🟠 Shop: disk usage is high", ["Disk /var: 96.5% (threshold 90%)", `Since ${TIME["en-US"]}`]],
        zh: ["🟠 Shop：磁盘使用率过高", ["磁盘 /var：96.5%（阈值 90%）", `发生时间：${TIME["zh-CN"]}`]],
      },
    ],
  ];
  it.each(cases)("names the event, its start, reason and duration: %#", (alert, { en, zh }) => {
    const link = `${BASE}/${alert.targetType === "monitor" ? "monitors" : "agents"}/7`;
    expect(messageOf(alert, { language: "en-US" }, BASE)).toEqual({ title: en[0], lines: en[1], link });
    expect(messageOf(alert, { language: "zh-CN" }, BASE)).toEqual({ title: zh[0], lines: zh[1], link });
  });

  it("about a job says when its report was expected, or why it failed, and how long that lasted", () => {
    const linesOf = (alert: AlertEvent, language: "en-US" | "zh-CN" = "en-US") =>
      messageOfSubject({ event: alert, isJob: true }, { language }, "").lines;
    const missed = event("down", { errorCode: "heartbeat_missed" });
    expect(linesOf(missed)).toEqual([`Expected by ${TIME["en-US"]}`]);
    expect(linesOf(missed, "zh-CN")).toEqual([`应上报时间：${TIME["zh-CN"]} 前`]);
    const failed = event("down", { errorCode: "heartbeat_exit", errorDetail: { status: 2 } });
    expect(linesOf(failed)).toEqual(["Reason: the job ended with exit status 2", `Since ${TIME["en-US"]}`]);
    const recovery = messageOfSubject({ event: event("recovery", { since }), isJob: true }, { language: "en-US" }, "");
    expect(recovery.title).toBe("🟢 Shop reports again");
    expect(recovery.lines).toEqual(["It lasted 2 minutes 5 seconds.", `Back at ${TIME["en-US"]}`]);
  });

  it("about a silent server says how many of its monitors still answer", () => {
    const lineOf = (up: number, total: number, language: "en-US" | "zh-CN" = "en-US") =>
      messageOfSubject({ event: event("offline", { since }), answering: { up, total } }, { language }, "").lines[1];
    expect(lineOf(4, 4)).toBe("Its 4 monitors still answer: probably the agent stopped, not the machine.");
    expect(lineOf(1, 1)).toBe("Its monitor still answers: probably the agent stopped, not the machine.");
    expect(lineOf(3, 4)).toBe("3 of its 4 monitors still answer: probably the agent stopped, not the machine.");
    expect(lineOf(4, 4, "zh-CN")).toBe("它的 4 个监控仍有响应，可能只是客户端停止运行，并非整机故障。");
    expect(lineOf(3, 4, "zh-CN")).toBe("它的 4 个监控中有 3 个仍有响应，可能只是客户端停止运行，并非整机故障。");
    expect(lineOf(0, 4)).toBeUndefined();
  });

  it("names the monitor's address without user information, query and fragment", () => {
    const url = "https://bob:secret@api.example:8443/health/db?key=secret#secret";
    const down = event("down", { errorCode: "timeout", errorDetail: { seconds: 30 } });
    expect(messageOf(down, { language: "en-US" }, BASE, url).lines[0]).toBe(
      "Address: https://api.example:8443/health/db",
    );
    expect(messageOf(down, { language: "zh-CN" }, BASE, url).lines[0]).toBe("地址：https://api.example:8443/health/db");
    expect(JSON.stringify(messageOf(event("recovery"), { language: "en-US" }, BASE, url))).not.toInclude("secret");
    const long = messageOf(down, { language: "en-US" }, BASE, `https://api.example/${"x".repeat(2000)}`).lines[0] ?? "";
    expect(long).toHaveLength("Address: ".length + 300);
  });

  it.each([
    ["Asia/Shanghai", "2026年1月15日 20:20:00 UTC+8", "Jan 15, 2026, 20:20:00 UTC+8"],
    ["America/St_Johns", "2026年1月15日 08:50:00 UTC-3:30", "Jan 15, 2026, 08:50:00 UTC-3:30"],
    ["Mars/Olympus", "2026年1月15日 12:20:00 UTC", "Jan 15, 2026, 12:20:00 UTC"],
    [null, "2026年1月15日 12:20:00 UTC", "Jan 15, 2026, 12:20:00 UTC"],
  ])("has times in the reader's time zone, and in UTC without a known one: %p", (timeZone, zh, en) => {
    expect(messageOf(event("down"), { language: "zh-CN", timeZone }, BASE).lines.at(-1)).toBe(`故障开始时间：${zh}`);
    expect(messageOf(event("down"), { language: "en-US", timeZone }, BASE).lines.at(-1)).toBe(`Down since ${en}`);
    expect(testMessage({ language: "zh-CN", timeZone }, BASE, AT).lines.at(-1)).toBe(`发送时间：${zh}`);
  });

  it("of a slow monitor names lost packets if they are the reason", () => {
    const lossy = event("slow", { errorCode: "ping_loss", errorDetail: { limit: 20, slow: 3, checks: 5 } });
    const titles = LANGUAGES.map((language) => messageOf(lossy, { language }, BASE).title);
    expect(titles.toSorted()).toEqual(["🟠 Shop loses packets", "🟠 Shop 丢包严重"]);
  });

  it("has no link when the hub's address is unknown", () =>
    expect(messageOf(event("down"), { language: "en-US" }, "").link).toBeNull());

  it("names the end of an alert that ended, and not its start", () => {
    for (const kind of ["recovery", "online", "cpu_normal", "memory_normal", "disk_normal"] as const)
      expect(messageOf(event(kind, low), { language: "en-US" }, BASE).lines.join("\n")).not.toMatch(/since/i);
  });

  it("differs for every kind in both languages", () => {
    for (const language of LANGUAGES) {
      const titles = EVENT_KINDS.map((kind) => messageOf(event(kind, low), { language }, BASE).title);
      expect(new Set(titles).size).toBe(titles.length);
      expect(testMessage({ language }, BASE, AT).link).toBe(`${BASE}/notifications`);
    }
  });
});

describe("a duration", () => {
  const cases: [number, string, string][] = [
    [0, "1 second", "1 秒"],
    [1499, "1 second", "1 秒"],
    [59 * SECOND, "59 seconds", "59 秒"],
    [MINUTE, "1 minute", "1 分钟"],
    [HOUR + MINUTE + 5 * SECOND, "1 hour 1 minute", "1 小时 1 分钟"],
    [HOUR + 5 * SECOND, "1 hour 5 seconds", "1 小时 5 秒"],
    [3 * DAY, "3 days", "3 天"],
    [400 * DAY + 2 * HOUR, "400 days 2 hours", "400 天 2 小时"],
  ];
  it.each(cases)("of %d ms", (length, en, zh) => {
    const recovered = event("recovery", { since: AT - length });
    expect(messageOf(recovered, { language: "en-US" }, "").lines[0]).toBe(`It was down for ${en}.`);
    expect(messageOf(recovered, { language: "zh-CN" }, "").lines[0]).toBe(`故障持续：${zh}`);
  });
});

describe("a name that a user entered", () => {
  const titleOf = (targetName: string) => messageOf(event("down", { targetName }), { language: "en-US" }, BASE).title;

  it("is rendered on one line", () => {
    const name = "Shop\r\n\u2028\u2029\tReason: none\u0085\u0000";
    expect(titleOf(name)).toBe("🔴 Shop Reason: none is down");
  });
  it("cannot change the direction of the text", () =>
    expect(titleOf("\u202egpj.exe\u2066 \u200fshop\u061c")).toBe("🔴 gpj.exe shop is down"));
  it("keeps its Markdown, HTML and emoji as they are", () =>
    expect(titleOf("*a* _b_ [c](d) <b>&amp; 👩‍👩‍👧")).toBe("🔴 *a* _b_ [c](d) <b>&amp; 👩‍👩‍👧 is down"));
  it("is cut between characters", () => {
    for (const name of ["x".repeat(300), "😀".repeat(300), `x${"😀".repeat(299)}`]) {
      const title = titleOf(name);
      expect(title.isWellFormed()).toBe(true);
      expect([...title].length).toBe(120 + [..."🔴  is down"].length);
      expect(title).toEndWith("… is down");
    }
  });
  it("with half of a character becomes well-formed", () => expect(titleOf("a\ud83d").isWellFormed()).toBe(true));
  it("is cleaned like errors and mount points", () => {
    const message = messageOf(
      event("down", { errorCode: "status", errorDetail: { actual: "\n<i>".repeat(300) } }),
      { language: "en-US" },
      BASE,
    );
    expect(message.lines[0]).not.toInclude("\n");
    expect([...(message.lines[0] ?? "")].length).toBeLessThanOrEqual("Reason: ".length + 500);
    const disk = messageOf(event("disk_high", { ...high, mount: "/a\nb" }), { language: "en-US" }, BASE);
    expect(disk.lines[0]).toBe("Disk /a b: 96.5% (threshold 90%)");
  });
});
