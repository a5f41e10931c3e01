import { enrollment as enUS } from "../../../locales/en-US/servers/enrollment";
import { enrollment as zhCN } from "../../../locales/zh-CN/servers/enrollment";

/** The texts about tokens for several machines, in each language: other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
