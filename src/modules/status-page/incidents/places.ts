/** Components in files: by their page, name and group, so that they are the same in any installation. */
import { asc } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { statusPages } from "../../../db/schema";
import type { ComponentStatus } from "../../../shared/status/components";
import { readComponents } from "../pages/components";

/** A component in a file; `nth` counts components of one page with the same name and group. */
type Place = { page: number; name: string; group?: string; nth?: number };
type WithStatus = { status: ComponentStatus };

const keyOf = ({ page, name, group = "", nth = 1 }: Place): string => JSON.stringify([page, name, group, nth]);

/** Reads the components of a team, by their places and by their ids. */
export const readComponentPlaces = async (store: Pick<Deps, "db">, teamId: number) => {
  const places = new Map<number, Required<Place>>();
  const ids = new Map<string, number>();
  for (const page of await store.db
    .select()
    .from(statusPages)
    .where(ownedBy(statusPages, teamId))
    .orderBy(asc(statusPages.id)))
    for (const { row, label, group } of await readComponents(store, page)) {
      const place = { page: page.id, name: label, group, nth: 1 };
      while (ids.has(keyOf(place))) place.nth++;
      ids.set(keyOf(place), row.id);
      places.set(row.id, place);
    }
  return {
    /** The components at these places, as far as they exist, each once. */
    ids: (sent: readonly (Place & WithStatus)[]) => [
      ...new Map(
        sent.flatMap((one) => {
          const id = ids.get(keyOf(one));
          return id === undefined ? [] : [[id, { id, status: one.status }] as const];
        }),
      ).values(),
    ],
    placeOf: (id: number) => {
      const { nth = 1, ...place } = places.get(id) ?? {};
      return "page" in place ? { ...(place as Required<Omit<Place, "nth">>), ...(nth > 1 && { nth }) } : undefined;
    },
  };
};
