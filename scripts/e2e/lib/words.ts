import { enUS } from "../../../web/locales/en-US";
import { zhCN } from "../../../web/locales/zh-CN";

/** The page's own words, by which a person finds things. */
export const words = { "zh-CN": zhCN, "en-US": enUS };
export const languages = ["zh-CN", "en-US"] as const;
