import { addTexts, loadAllTexts } from "../../i18n";

/** Loads a part of the page with the texts of teams, which most users do without. */
export const withTeamTexts = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const [part, { texts }] = await Promise.all([load(), import("./texts"), loadAllTexts()]);
  addTexts({ teams: texts });
  return part;
};
