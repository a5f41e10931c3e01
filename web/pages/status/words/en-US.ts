import { common } from "../../../locales/en-US/common";
import { incidents } from "../../../locales/en-US/incidents/published";
import { statusPage } from "../../../locales/en-US/status-page";

/** The words of this page and of the parts it shares with the console. */
export const words = { common, incidents, statusPage };
