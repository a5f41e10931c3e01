import { common } from "../../../locales/zh-CN/common";
import { incidents } from "../../../locales/zh-CN/incidents/published";
import { statusPage } from "../../../locales/zh-CN/status-page";

/** The words of this page and of the parts it shares with the console. */
export const words = { common, incidents, statusPage };
