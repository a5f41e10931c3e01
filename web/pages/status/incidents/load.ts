import type { PageData } from "../section";

/** Loads the code, words and styles of incidents for a page that has some. */
export const loadIncidents = async (page: PageData | null): Promise<void> => {
  if (page?.incident || page?.incidents.length) await (await import("./lazy")).load();
};
