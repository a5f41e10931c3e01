import type { PageData } from "../section";

export const hasIncidents = (page: PageData | null): boolean =>
  page !== null && (page.incident !== undefined || page.incidents.length > 0);

/** Loads the code and styles of incidents for a page that has some. */
export const loadIncidents = async (page: PageData | null): Promise<void> => {
  if (hasIncidents(page)) await (await import("./lazy")).load();
};
