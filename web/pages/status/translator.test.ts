import { expect, test } from "bun:test";
import { createInstance } from "i18next";
import { enUS } from "../../locales/en-US";
import { zhCN } from "../../locales/zh-CN";
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
};

test("each text of the status page reads as i18next renders it, in both languages and each plural form", async () => {
  for (const [language, translation] of [
    ["zh-CN", zhCN],
    ["en-US", enUS],
  ] as const) {
    const i18next = createInstance();
    await i18next.init({
      lng: language,
      resources: { [language]: { translation } },
      interpolation: { escapeValue: false },
    });
    const { common, statusPage } = translation;
    const { partial: _, ...shared } = common;
    const keys = [...keysOf({ ...shared }, "common"), ...keysOf(statusPage, "statusPage")];
    expect(keys.length).toBeGreaterThan(100);
    const translator = createTranslator(language);
    const read = (t: unknown, key: string, more: object) => (t as (key: string, values: object) => string)(key, more);
    for (const key of [...new Set(keys.map((key) => key.replace(/_(one|other)$/, "")))])
      for (const count of [0, 1, 2, 17]) {
        const all = { ...values, up: 1, down: 2, rate: 3, received: "1", sent: "2", limit: 9, what: "x", count };
        expect([key, count, read(translator.t, key, all)]).toEqual([key, count, read(i18next.t, key, all)]);
      }
  }
});

test("the status page calls its servers' states as the console does", () => {
  for (const { agents, statusPage } of [zhCN, enUS]) {
    const { active, inactive, connecting } = agents.status;
    expect(statusPage.serverStatus).toEqual({ active, inactive, connecting } as never);
  }
});
