import type { PageData } from "../section";

/** Whether a page has anything that is loaded when it is needed: incidents, maintenance, components or a part of its history. */
export const hasExtras = (page: PageData | null): boolean =>
  page !== null &&
  (page.incident !== undefined ||
    page.history !== undefined ||
    // Incidents that are over for long are only marks.
    [page.incidents, page.maintenance, page.components, page.monitors.filter((one) => one.incidents)].some(
      (list) => list?.length,
    ));

/** Loads the code and styles of these for a page that has some. */
export const loadExtras = async (page: PageData | null): Promise<void> => {
  if (hasExtras(page)) await (await import("./lazy")).load();
};
