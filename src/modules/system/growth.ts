import type { Dialect } from "../../core/config";
import type { Deps } from "../../core/deps";
import { readSetting, writeSetting } from "../../db/app-settings";
import { DAY } from "../../shared/limits";

/** The size of the database at a time, in bytes. */
type Size = { at: number; bytes: number; engine: Dialect };

/** One a day: a week evens out deletions of old data. */
const KEPT = 8;

type Store = Pick<Deps, "db" | "clock">;

/** The stored sizes of this engine, oldest first. Those before a move to another engine, or after now, say nothing. */
const readSizes = async ({ db, clock }: Store): Promise<Size[]> => {
  const stored: Size[] = JSON.parse((await readSetting(db, "database_sizes")) ?? "[]");
  return stored.filter(({ at, engine }) => engine === db.engine && at <= clock.now());
};

/** Stores the size of the database once a day. */
export const recordSize = async ({ db, clock }: Store): Promise<void> => {
  const size: Size = { at: clock.now(), bytes: await db.size(), engine: db.engine };
  await db.transact(async (tx) => {
    const sizes = await readSizes({ db: tx, clock });
    if (size.at - (sizes.at(-1)?.at ?? 0) < DAY) return;
    await writeSetting(tx, "database_sizes", JSON.stringify([...sizes, size].slice(-KEPT)));
  });
};

/** By how many bytes a day the database grew in the last week; null before a day has passed. */
export const readGrowth = async (store: Store, bytes: number): Promise<number | null> => {
  const [first] = await readSizes(store);
  const days = first ? (store.clock.now() - first.at) / DAY : 0;
  return first && days >= 1 ? Math.round((bytes - first.bytes) / days) : null;
};
