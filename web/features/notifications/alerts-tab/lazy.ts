import { later } from "../../../lib/offline/code";
import { loadStyles } from "../../../lib/offline/styles";
import styles from "../styles";

/** The Alerts tab of a monitor or server, with its styles, loaded when it is first opened. */
export const AlertsTab = later(async () => {
  const [tab] = await Promise.all([import("./alerts-tab"), ...styles.map(loadStyles)]);
  return tab;
});
