import { keyScopes as enUS } from "../../locales/en-US/accounts/key-scopes";
import { keyScopes as zhCN } from "../../locales/zh-CN/accounts/key-scopes";

/** The texts about what a key may do, in each language: other screens do without them. */
export const texts = { "zh-CN": zhCN, "en-US": enUS };
