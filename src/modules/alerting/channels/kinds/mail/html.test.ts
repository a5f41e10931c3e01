import { describe, expect, it } from "bun:test";
import { LANGUAGES } from "../../../../../shared/language";
import { alertEvent } from "../../../../../testing/fixtures/alert-events";
import { COLOURS, type MessageContext, type Severity } from "../../kind";
import { type Message, renderMessage } from "../../text";
import { mailHtml } from "./html";

const LINK = "https://watch.example/monitors/7";
const ACTION = { label: "Acknowledge", url: "https://watch.example/acknowledge/5?t=2&u=1" };
const EVENT = alertEvent("down", { targetName: "shop" });

/** The HTML of a mail. */
const htmlOf = (sent: Partial<Message & MessageContext> = {}): string => {
  const message = {
    title: "🔴 shop is down",
    lines: ["Reason: status 503, expected 200", "Down since 12:20"],
    link: LINK,
    event: EVENT,
    language: "en-US" as const,
    ...sent,
  };
  return mailHtml({ ...message, ...renderMessage(message, { flavour: "plain", limit: 100_000 }) });
};

/** The `href`s and texts of the links. */
const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href, label]) => [href, label]);

describe("the HTML of a mail", () => {
  it("is a document in the reader's language, for narrow screens and dark mode", () => {
    for (const language of LANGUAGES) {
      const html = htmlOf({ language });
      expect(html).toStartWith(`<!doctype html><html lang="${language}">`);
      expect(html).toContain('<meta charset="utf-8">');
      expect(html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
      expect(html).toContain('<meta name="color-scheme" content="light dark">');
      expect(html).toContain("@media (prefers-color-scheme:dark)");
    }
  });

  it("loads nothing from elsewhere", () => {
    expect(htmlOf({ action: ACTION })).not.toMatch(/<img|<link|<script|url\(|@import|\ssrc=/);
  });

  it("has the state of the event in words and as a colour", () => {
    const states: Record<Severity, [en: string, zh: string]> = {
      critical: ["Outage", "故障"],
      warning: ["Warning", "警告"],
      resolved: ["Resolved", "已恢复"],
      info: ["Notice", "通知"],
    };
    for (const [severity, words] of Object.entries(states) as [Severity, [string, string]][]) {
      const [english, chinese] = [htmlOf({ severity }), htmlOf({ severity, language: "zh-CN" })];
      expect(english).toContain(`>${words[0]}</`);
      expect(chinese).toContain(`>${words[1]}</`);
      expect(english).toContain(COLOURS[severity]);
    }
  });

  it("marks a drill as one and not as an outage", () => {
    const event = EVENT && { ...EVENT, drill: true };
    expect(htmlOf({ event })).toContain(">Drill</");
    expect(htmlOf({ event, language: "zh-CN" })).toContain(">演练</");
    expect(htmlOf({ event })).not.toContain(">Outage</");
    expect(htmlOf({ event })).not.toContain(COLOURS.critical);
  });

  it("has a button for the acknowledgement and one for the page of the monitor", () => {
    expect(linksIn(htmlOf({ action: ACTION }))).toEqual([
      [LINK, "Open in Wakeful"],
      [ACTION.url.replace("&", "&amp;"), "Acknowledge"],
    ]);
    expect(linksIn(htmlOf({ language: "zh-CN" }))).toEqual([[LINK, "在 Wakeful 中查看"]]);
    expect(linksIn(htmlOf({ link: null }))).toEqual([]);
  });

  it("has every line of the message, with empty ones and indents as a template has them", () => {
    const html = htmlOf({ lines: ["first", "", "  second"] });
    expect([...html.matchAll(/class="line"[^>]*>([^<]*)</g)].map(([, text]) => text)).toEqual([
      "first",
      "&nbsp;",
      "  second",
    ]);
  });

  it("separates the states of a digest", () => {
    const html = htmlOf({ lines: ["🔴 2 down: shop, blog", "Down since 12:20", "🟢 1 up again: mail"] });
    expect([...html.matchAll(/class="line" style="margin:(\d+)px/g)].map(([, gap]) => gap)).toEqual(["0", "0", "20"]);
  });

  it("keeps the colour of the state in dark mode", () => {
    expect(htmlOf()).not.toMatch(/\.card\{[^}]*border(-top)?-color/);
  });

  it("shows names, errors and addresses literally", () => {
    const html = htmlOf({
      title: '<img src=x onerror="a">',
      lines: ["</td><script>alert(1)</script>", "'\"&amp;"],
      link: `${LINK}?a="b"`,
      action: { label: "<b>", url: `${LINK}?c="d"` },
    });
    expect(html).not.toMatch(/<script|<img|<b>|a="b"|c="d"/);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("&#x27;&quot;&amp;amp;");
  });
});
