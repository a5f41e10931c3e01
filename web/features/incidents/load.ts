import { addTexts, loadAllTexts } from "../../i18n";

/** Loads the screen of incidents with its texts. */
export const withIncidentTexts = async <Part>(load: () => Promise<Part>): Promise<Part> => {
  const [part, { texts }] = await Promise.all([load(), import("./texts"), loadAllTexts()]);
  addTexts({ incidents: texts });
  return part;
};
