import { maintenance as enUS } from "../../locales/en-US/alerts/maintenance";
import { maintenance as zhCN } from "../../locales/zh-CN/alerts/maintenance";

/** The texts of the screen in each language: other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
