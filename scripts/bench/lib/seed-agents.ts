import { type SQL, sql } from "drizzle-orm";
import { readConfig } from "../../../src/core/config";
import { hashSecret } from "../../../src/core/secrets";
import { openDatabase } from "../../../src/db/open";
import { systemClock } from "../../../src/lib/time";
import { sumDays } from "../../../src/modules/servers/history/retention";
import { sampleBlock } from "../../../src/modules/servers/history/samples";
import { sumTens, tensBlock } from "../../../src/modules/servers/history/sums";
import { DAY, HOUR, MINUTE } from "../../../src/shared/limits";
import { numbers, seedAdministrator } from "./seed";

/** The key of a seeded agent, in the format of a real one: the hub rejects others without a lookup. */
export const keyOf = (agent: number): string => `wka_${String(agent).padStart(43, "0")}`;

/** The host name of the agent with a key, as it is seeded and as it reports: a report with another one is written at once. */
export const hostnameOf = (key: string): string => `server-${Number(key.slice(4))}`;

type Seed = {
  agents: number;
  /** Seconds. */
  interval: number;
  /** Days of history: samples and ten-minute sums of the last thirty, hourly sums of all. */
  historyDays?: number;
  /** The names of their further figures. */
  series?: readonly string[];
};

/** A data directory with one administrator's agents 1 to n, which have reported until now. */
export const seedAgents = async (
  dataDir: string,
  { agents, interval, historyDays = 0, series = [] }: Seed,
): Promise<void> => {
  const db = await openDatabase(readConfig({ DATA_DIR: dataDir }));
  const run = (...statements: SQL[]) => db.atomically(() => statements);
  const now = Date.now();
  const createdAt = now - (historyDays + 1) * DAY;
  await seedAdministrator(db, createdAt);
  const hashes = JSON.stringify(Array.from({ length: agents }, (_, index) => hashSecret(keyOf(index + 1))));
  const ids = numbers("ids", 1, agents + 1);
  await run(
    sql`with recursive ${ids}
      insert into agents (id, user_id, team_id, enrollment, name, hostname, ip_addresses, os, version, created_at, series)
      select n, 1, 1, 'enrollment ' || n, 'Server ' || n, 'server-' || n, '["10.0.0.5","fd00::5"]', 'Debian GNU/Linux 12 (bookworm)', '6.1.0', ${createdAt}, ${series.length > 0 ? JSON.stringify(series) : null} from ids`,
    sql`insert into agent_states (agent_id, key_hash, status, expires_at, interval, reported_at, sampled_at, cpu,
        memory_total, memory_used, disk_total, disk_used, network_rx, network_tx, extra)
      select key + 1, value, 'active', ${now + HOUR}, ${interval}, ${now}, ${now - MINUTE}, 12.5, 16e9, 4e9, 1e11, 5e10, 8, 2, '{}' from json_each(${hashes})`,
  );
  if (historyDays > 0) {
    const buckets = (days: number) => numbers("buckets", Math.floor((now - days * DAY) / HOUR), Math.floor(now / HOUR));
    const count = HOUR / (interval * 1000);
    const taken = Array.from({ length: count }, (_, slot) => ({
      at: slot * interval * 1000,
      cpu: 10 + (slot % 9),
      memory: 40,
      disk: 50,
      rx: 8,
      tx: 2,
    }));
    const bytes = { sample_blocks: sampleBlock.encode(0, taken), sample_tens: tensBlock.encode(0, sumTens(taken)) };
    await run(
      ...Object.entries(bytes).map(
        ([table, data]) => sql`with recursive ${ids}, ${buckets(Math.min(historyDays, 30))}
          insert into ${sql.raw(table)} (hour, agent_id, data)
          select b.n, i.n, ${Buffer.from(data)} from buckets as b cross join ids as i`,
      ),
      sql`with recursive ${ids}, ${buckets(historyDays)}
        insert into sample_hours (bucket, agent_id, cpu_count, cpu_total, cpu_max, memory_count, memory_total,
          disk_count, disk_total, network_count, rx_total, tx_total)
        select b.n, i.n, ${count}, ${count} * 12.5, 60, ${count}, ${count} * 40.0, ${count}, ${count} * 50.0, ${count}, ${count} * 8.0, ${count} * 2.0
        from buckets as b cross join ids as i`,
    );
  }
  while (await sumDays({ db, clock: systemClock }));
  await db.close();
};
