import { enUS } from "../../../web/locales/en-US";
import { zhCN } from "../../../web/locales/zh-CN";

/** The page's texts, by which tests find elements. */
export const words = { "zh-CN": zhCN, "en-US": enUS };
export const languages = ["zh-CN", "en-US"] as const;
