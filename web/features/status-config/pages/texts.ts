import { pages as enUS } from "../../../locales/en-US/pages/pages";
import { pages as zhCN } from "../../../locales/zh-CN/pages/pages";

/** The texts of the screens in each language: other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
