import type { Deps } from "../../../core/deps";
import type { StatusPage } from "../service";

export type Store = Pick<Deps, "db" | "clock">;

/**
 * One part of a status page. `Row` is one thing as it is stored, `Shown` what everybody may see of it. The page draws
 * the section of the same key.
 */
export type Section<Key extends string, Row, Shown> = {
  /** The field of the public answer. */
  key: Key;
  read(store: Store, page: StatusPage): Promise<Row[]>;
  present(row: Row, page: StatusPage, now: number): Shown;
  /** When it last changed, in ms since 1970; null while it never did. */
  changedAt(row: Row): number | null;
  /** How it counts in the state of the whole page; null where it does not count. */
  health?(shown: Shown): "good" | "bad" | null;
};

/** In the order in which they were chosen. What was deleted, or belongs to another user, is not among the rows. */
export const inOrder = <T extends { id: number }>(rows: T[], ids: number[]): T[] => {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};
