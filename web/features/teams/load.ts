import { addTexts, loadAllTexts } from "../../i18n";
import { loadStyles } from "../../lib/offline/styles";
import styles from "./teams.css" with { type: "file" };

/** Loads a part of the page with the texts and styles of teams, which most users do without. */
export const withTeamTexts = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const [part, { texts }] = await Promise.all([load(), import("./texts"), loadAllTexts(), loadStyles(styles)]);
  addTexts({ teams: texts });
  return part;
};
