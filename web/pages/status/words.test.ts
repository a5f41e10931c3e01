import { expect, test } from "bun:test";
import { enUS } from "../../locales/en-US";
import { zhCN } from "../../locales/zh-CN";
import { words } from "./words";

test("the status page names the console's places as the console does", () => {
  for (const [language, { common }] of [
    ["zh-CN", zhCN],
    ["en-US", enUS],
  ] as const) {
    const { login, ...nav } = common.nav;
    expect(words[language].nav).toEqual(nav);
    expect([words[language].login, words[language].profile]).toEqual([login, common.user.profile]);
  }
});
