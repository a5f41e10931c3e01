import { loadStyles } from "../../../lib/offline/styles";
import { addIncidents } from "./sections";
import styles from "./status-incidents.css" with { type: "file" };

/** Adds the sections once their styles apply, which the hub links in the document of a page with incidents. */
export const load = async (): Promise<void> => {
  addIncidents();
  const name = styles.split("/").at(-1);
  if (!document.querySelector(`link[href$="${name}"]`)) await loadStyles(styles);
};
