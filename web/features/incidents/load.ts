import { addTexts, loadAllTexts } from "../../i18n";
import { loadStyles } from "../../lib/offline/styles";
import styles from "./incidents.css" with { type: "file" };

/** Loads the screen of incidents with its texts and styles. */
export const withIncidentTexts = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const [part, { texts }] = await Promise.all([load(), import("./texts"), loadAllTexts(), loadStyles(styles)]);
  addTexts({ incidents: texts });
  return part;
};
