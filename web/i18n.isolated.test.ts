import "./testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { loadAllTexts, startI18n } from "./i18n";
import { enUS } from "./locales/en-US";
import { statusPage as statusPageEn } from "./locales/en-US/status-page";
import { zhCN } from "./locales/zh-CN";
import { statusPage as statusPageZh } from "./locales/zh-CN/status-page";

const leaves = (words: object, path = ""): [string, string][] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[`${path}${key}`, value] as [string, string]] : leaves(value, `${path}${key}.`),
  );
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

test("both locales have the same keys with the same placeholders", () => {
  const chinese = leaves({ ...zhCN, statusPage: statusPageZh });
  const english = new Map(leaves({ ...enUS, statusPage: statusPageEn }));
  for (const [key, text] of chinese) {
    expect(text, key).not.toBe("");
    expect(english.get(key), key).toBeTruthy();
    // English has a form of its own for one, which may do without the number.
    const needed = key.endsWith("_one")
      ? holes(text).filter((hole) => hole !== "count" && hole !== "number")
      : holes(text);
    expect(holes(english.get(key) ?? ""), key).toEqual(expect.arrayContaining(needed));
    expect(holes(text), key).toEqual(expect.arrayContaining(holes(english.get(key) ?? "")));
  }
  expect(english.size).toBe(chinese.length);
});

test("a visitor has the first texts only, and all of them in both languages once they are needed", async () => {
  localStorage.setItem("i18nextLng", "en-US");
  await startI18n({ isWhole: false });
  const has = () => [i18next.exists("account.login.title"), i18next.exists("monitors.title")];
  expect(has()).toEqual([true, false]);
  await i18next.changeLanguage("zh-CN");
  expect(has()).toEqual([true, false]);
  await loadAllTexts();
  expect(has()).toEqual([true, true]);
  expect(i18next.t("monitors.title")).toBe(zhCN.monitors.title);
  expect(i18next.getResourceBundle("zh-CN", "translation")).toEqual(zhCN);
  await Promise.all([i18next.changeLanguage("en-US"), loadAllTexts()]);
  await loadAllTexts();
  expect(i18next.getResourceBundle("en-US", "translation")).toEqual(enUS);
});

test("Chinese texts of empty lists break at their punctuation on a phone, which has room for 16 characters in a line", () => {
  const { policies, notifications, agents, monitors, kinds, dashboard, status, servers } = zhCN;
  const texts = [
    ...[agents.empty.text, agents.noMatch.text, monitors.empty.text, monitors.noMatch.text, dashboard.agents.emptyText],
    ...[
      notifications.history.emptyText,
      notifications.channel.emptyText,
      policies.emptyText,
      kinds.heartbeat.noPingsText,
    ],
    ...[status.services.empty.text, status.agents.empty.text, servers.thresholds.emptyText],
  ];
  const parts = texts.flatMap((text) => text.split(/(?<=[，。、；： ])/));
  expect(parts.filter((part) => part.length > 16)).toEqual([]);
});
