import { enUS } from "../../../web/locales/en-US";
import { statusPage as statusPageEn } from "../../../web/locales/en-US/status-page";
import { zhCN } from "../../../web/locales/zh-CN";
import { statusPage as statusPageZh } from "../../../web/locales/zh-CN/status-page";

/** The texts of the console and the status page, by which tests find elements. */
export const words = {
  "zh-CN": { ...zhCN, statusPage: statusPageZh },
  "en-US": { ...enUS, statusPage: statusPageEn },
};
export const languages = ["zh-CN", "en-US"] as const;
