import { teams as enUS } from "../../locales/en-US/accounts/teams";
import { teams as zhCN } from "../../locales/zh-CN/accounts/teams";

/** The texts of teams in each language: most users are alone, and do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
