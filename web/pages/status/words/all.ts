import { words as enUS } from "./en-US";
import { words as zhCN } from "./zh-CN";

/** The words of the page in every language: on the hub, which sends them to the browser in one language. */
export const words = { "zh-CN": zhCN, "en-US": enUS };
