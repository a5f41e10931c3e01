import { subscribers as enUS } from "../../locales/en-US/pages/subscribers";
import { subscribers as zhCN } from "../../locales/zh-CN/pages/subscribers";

/** The texts of the screen in each language: other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
