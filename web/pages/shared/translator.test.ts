import { expect, test } from "bun:test";
import { createInstance } from "i18next";
import { enUS } from "../../locales/en-US";
import { docs as docsEn } from "../../locales/en-US/docs";
import { statusPage as statusPageEn } from "../../locales/en-US/status-page";
import { zhCN } from "../../locales/zh-CN";
import { docs as docsZh } from "../../locales/zh-CN/docs";
import { statusPage as statusPageZh } from "../../locales/zh-CN/status-page";
import { createTranslator } from "./translator";

type Words = { readonly [key: string]: string | Words };
const keysOf = (words: Words, path: string): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [`${path}.${key}`] : keysOf(value, `${path}.${key}`),
  );
const values = {
  name: "Shop",
  share: "99.5%",
  date: "today",
  time: "now",
  label: "CPU",
  value: "1%",
  used: 1,
  total: 2,
  well: 3,
  duration: "5 minutes",
  range: "1 h",
};

test("each text of the stand-alone pages reads as i18next renders it, in both languages and each plural form", async () => {
  for (const [language, translation] of [
    ["zh-CN", { ...zhCN, docs: docsZh, statusPage: statusPageZh }],
    ["en-US", { ...enUS, docs: docsEn, statusPage: statusPageEn }],
  ] as const) {
    const i18next = createInstance();
    await i18next.init({
      lng: language,
      resources: { [language]: { translation } },
      interpolation: { escapeValue: false },
    });
    const { common, statusPage, docs } = translation;
    const keys = [...keysOf(common, "common"), ...keysOf(statusPage, "statusPage"), ...keysOf(docs, "docs")];
    expect(keys.length).toBeGreaterThan(100);
    const translator = createTranslator(language, { words: { [language]: translation } });
    const read = (t: unknown, key: string, more: object) => (t as (key: string, values: object) => string)(key, more);
    for (const key of [...new Set(keys.map((key) => key.replace(/_(one|other)$/, "")))])
      for (const count of [0, 1, 2, 17]) {
        const all = {
          ...values,
          up: 1,
          down: 2,
          rate: 3,
          received: "1",
          sent: "2",
          limit: 9,
          days: 90,
          what: "x",
          count,
        };
        expect([key, count, read(translator.t, key, all)]).toEqual([key, count, read(i18next.t, key, all)]);
      }
  }
});

test("the status page calls its servers' states as the console does", () => {
  for (const [{ agents }, statusPage] of [
    [zhCN, statusPageZh],
    [enUS, statusPageEn],
  ] as const) {
    const { active, inactive, connecting } = agents.status;
    expect(statusPage.serverStatus).toEqual({ active, inactive, connecting } as never);
  }
});

test("the words of a language are loaded when it is first chosen, and of two choices the later one wins", async () => {
  const loaded: string[] = [];
  const loading = Promise.withResolvers<void>();
  const translator = createTranslator("en-US", {
    words: { "en-US": { greeting: "Hello" } },
    load: async (language) => {
      loaded.push(language);
      await loading.promise;
      return { greeting: "你好" };
    },
  });
  const read = () => (translator.t as (key: string) => string)("greeting");
  const chinese = translator.changeLanguage("zh-CN");
  const english = translator.changeLanguage("en-US");
  loading.resolve();
  await Promise.all([chinese, english]);
  expect([translator.language, read()]).toEqual(["en-US", "Hello"]);
  await translator.changeLanguage("zh-CN");
  expect([translator.language, read(), loaded]).toEqual(["zh-CN", "你好", ["zh-CN"]]);
});
