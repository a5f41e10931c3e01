import { common as commonEn } from "../../locales/en-US/common";
import { statusPage as statusPageEn } from "../../locales/en-US/status-page";
import { common as commonZh } from "../../locales/zh-CN/common";
import { statusPage as statusPageZh } from "../../locales/zh-CN/status-page";

/** The words of this page and of the parts it shares with the console. */
export const words = {
  "zh-CN": { common: commonZh, statusPage: statusPageZh },
  "en-US": { common: commonEn, statusPage: statusPageEn },
};
