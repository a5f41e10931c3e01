import { checklist as enUS } from "../../../locales/en-US/accounts/checklist";
import { checklist as zhCN } from "../../../locales/zh-CN/accounts/checklist";

/** The texts of the checklist in each language: established users do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
