import { type BytesColumn, bytesOf } from "../db/bytes-column";
import type { Database } from "../db/database";
import { isoTime } from "../lib/time";
import { checkBlock } from "../modules/monitors/history/block";
import { checkPack } from "../modules/monitors/history/pack";
import { sampleBlock, samplePack } from "../modules/servers/history/samples";
import { tensBlock } from "../modules/servers/history/sums";
import { decodeJournal } from "../modules/servers/ingest/journal/journal";
import { HOUR } from "../shared/limits";

/** A column of encoded history. In its table's key an hour comes first. */
type Source = BytesColumn & {
  /** The kind of history, for error messages. */
  name: string;
  /** Whether bytes are damaged. The first number of the key is an hour, if it has one. */
  isDamaged: (bytes: Uint8Array, hour: number) => boolean;
};

const SOURCES: Source[] = [
  {
    table: "check_blocks",
    key: ["hour", "monitor_id"],
    column: "data",
    name: "checks",
    isDamaged: (bytes, hour) => checkBlock.decode(hour, bytes).corrupt,
  },
  {
    table: "monitor_states",
    key: ["monitor_id"],
    column: "pack",
    name: "running checks",
    isDamaged: (bytes) => checkPack.decode(bytes).corrupt,
  },
  {
    table: "recent_checks",
    key: ["monitor_id"],
    column: "checks",
    name: "latest checks",
    isDamaged: (bytes) => checkPack.decode(bytes).corrupt,
  },
  {
    table: "sample_blocks",
    key: ["hour", "agent_id"],
    column: "data",
    name: "samples",
    isDamaged: (bytes, hour) => sampleBlock.decode(hour, bytes).corrupt,
  },
  {
    table: "sample_tens",
    key: ["hour", "agent_id"],
    column: "data",
    name: "ten-minute sums",
    isDamaged: (bytes, hour) => tensBlock.decode(hour, bytes).corrupt,
  },
  {
    table: "sample_packs",
    key: ["agent_id"],
    column: "data",
    name: "running samples",
    isDamaged: (bytes) => samplePack.decode(bytes).corrupt,
  },
  {
    table: "report_journal",
    key: ["id"],
    column: "data",
    name: "waiting reports",
    isDamaged: (bytes) => decodeJournal(bytes).length === 0,
  },
];

const OWNERS: Record<string, string> = { monitor_id: "monitor", agent_id: "agent", id: "journal" };

/** A place as in `monitor 12, hour 2026-01-15T12:00:00.000Z: checks`. */
const placeOf = ({ key, name }: Source, values: readonly number[]): string => {
  const owner = `${OWNERS[key.at(-1) ?? ""]} ${values.at(-1)}`;
  return key.length > 1 ? `${owner}, hour ${isoTime((values[0] as number) * HOUR)}: ${name}` : `${owner}: ${name}`;
};

const isDamaged = (source: Source, bytes: Uint8Array, hour: number): boolean => {
  try {
    return source.isDamaged(bytes, hour);
  } catch {
    return true;
  }
};

/** Reads all encoded history, and calls `report` for each damaged place. Returns how many blocks and packs there are. */
export const readAllHistory = async (
  db: Pick<Database, "rows">,
  report: (place: string) => void,
): Promise<{ read: number; damaged: number }> => {
  const totals = { read: 0, damaged: 0 };
  for (const source of SOURCES) {
    for await (const { values, bytes } of bytesOf(db, source)) {
      totals.read++;
      if (!isDamaged(source, bytes, values[0] as number)) continue;
      totals.damaged++;
      report(placeOf(source, values));
    }
  }
  return totals;
};
