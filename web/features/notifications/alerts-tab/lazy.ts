import { later } from "../../../lib/offline/code";

/** The Alerts tab of a monitor or server, loaded when it is first opened. */
export const AlertsTab = later(() => import("./alerts-tab"));
