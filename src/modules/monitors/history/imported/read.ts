import type { Static } from "@sinclair/typebox";
import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { imports } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import { object, oneOf, optional, time } from "../../../../server/answers";
import { IMPORT_SOURCES, type ImportSource } from "../../../../shared/transfer/sources";

const ImportedPart = object({
  source: oneOf("The product.", Object.keys(IMPORT_SOURCES) as ImportSource[]),
  until: time("Until when."),
});

export type Imported = { imported?: Static<typeof ImportedPart> };

/** The imported part of the history of a monitor, in its answer. */
export const importedField = {
  imported: optional({
    ...ImportedPart,
    description: "Until when its history is from another product; absent without such a history.",
  } as typeof ImportedPart),
};

/** Until when the history of a monitor is from another product. */
export const readImported = async ({ db }: Pick<Deps, "db">, monitorId: number): Promise<Imported> => {
  const { source, historyUntil: until, targetType, targetId } = imports;
  const [row] = await db
    .select({ source, until })
    .from(imports)
    .where(and(eq(targetType, "monitors"), eq(targetId, monitorId), isNotNull(until)))
    .orderBy(desc(until))
    .limit(1);
  return row?.until ? { imported: { source: row.source as ImportSource, until: isoTime(row.until) } } : {};
};
