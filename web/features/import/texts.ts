import { imports as enUS } from "../../locales/en-US/imports";
import { imports as zhCN } from "../../locales/zh-CN/imports";

/** The texts of the screen in each language: it is opened seldom, so other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
