import { addTexts } from "../../i18n";
import { later } from "../../lib/offline/code";

const load = async () => {
  const parts = await import("./changes");
  addTexts({ changes: parts.texts });
  return parts;
};

/** The changes of one object or of all. */
export const Changes = later(load);

/** One change in the timeline of an outage. */
export const ChangeBefore = later(async () => ({ default: (await load()).ChangeBefore }));
