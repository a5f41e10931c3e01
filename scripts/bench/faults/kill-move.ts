import { checkPack, type StoredCheck } from "../../../src/modules/monitors/history/pack";
import { HOUR, MINUTE } from "../../../src/shared/limits";
import { until } from "../../smoke/lib/until";
import { auditPostgres, auditStored, countAnswered } from "../lib/audit";
import { option, signIn } from "../lib/client";
import { startCluster } from "../lib/cluster";
import { prepare } from "../lib/installation";
import { startFlipping } from "../lib/provider";
import { remove, startServer, temporaryDirectory, withFile } from "../lib/server";
import { queryOf, queryOfPostgres, readStoredChecks } from "../lib/stored-checks";
import { type Answered, createAnswered, writeOn } from "../lib/writers";

/** Past hours that each life has to move, and the checks of a monitor in each. */
const [HOURS, CHECKS] = [3, 6];

/** The checks of every monitor in an hour: some have another status code, and take the long form. */
const checksIn = (hour: number): StoredCheck[] =>
  Array.from({ length: CHECKS }, (_, index) => {
    const checkedAt = hour * HOUR + index * 10 * MINUTE + ((hour + index) % 60);
    const statusCode = (hour + index) % 5 === 0 ? 204 : 200;
    return { checkedAt, up: true, responseTime: 10 + (index % 9), statusCode, error: null };
  });

/** A database with monitors whose checks are an hour and more away. */
const createSqlite = async (monitors: number) => {
  const dataDir = temporaryDirectory();
  const { targets } = await prepare(dataDir, monitors);
  return {
    start: () => startServer(dataDir, { LOG_LEVEL: "error" }),
    query: (statement: string) => withFile(dataDir, (db) => queryOf(db)(statement), { write: true }),
    /** The SQL expression of a pack with more bytes. */
    appended: (hex: string) => `cast(coalesce(pack, x'') || x'${hex}' as blob)`,
    audit: (answered: Answered) => auditStored(dataDir, answered),
    end: async () => {
      targets.stop();
      remove(dataDir);
    },
  };
};

type Store = Awaited<ReturnType<typeof createSqlite>>;

const createPostgres = async (monitors: number): Promise<Store> => {
  const targets = startFlipping();
  const cluster = await startCluster({ monitors, interval: 86_400, origins: [targets.origin], careless: true });
  await cluster.first.stop();
  return {
    start: cluster.start,
    query: queryOfPostgres(cluster.postgres.sql),
    appended: (hex) => `coalesce(pack, ''::bytea) || '\\x${hex}'::bytea`,
    audit: (answered) => auditPostgres(cluster.postgres.sql, answered),
    end: async () => {
      targets.stop();
      await cluster.end();
    },
  };
};

/** Appends the checks of some hours to the packs of all seeded monitors, while no hub runs. */
const appendHours = async ({ query, appended }: Store, hours: number[], monitors: number): Promise<void> => {
  const checks = hours.flatMap(checksIn);
  const first = Math.min(...hours);
  await query(`update monitor_states set pack = ${appended(Buffer.from(checkPack.encode(checks)).toString("hex"))},
    pack_hour = case when pack_hour < ${first} then pack_hour else ${first} end, last_checked_at = ${checks.at(-1)?.checkedAt}
    where monitor_id <= ${monitors}`);
};

/** How many packs have checks of hours before this one. */
const countPacks = async ({ query }: Store, before: number): Promise<number> =>
  Number((await query(`select count(*) as count from monitor_states where pack_hour < ${before}`))[0]?.count);

/** Compares the stored checks of past hours with those that were seeded. */
const auditSeeded = async ({ query }: Store, hours: number[], monitors: number, until: number) => {
  const stored = await readStoredChecks(query, { until });
  const expected = new Map(hours.flatMap(checksIn).map((check) => [check.checkedAt, JSON.stringify(check)]));
  const same = stored.filter(({ monitorId: _, ...check }) => expected.get(check.checkedAt) === JSON.stringify(check));
  const distinct = new Set(same.map(({ monitorId, checkedAt }) => `${monitorId} ${checkedAt}`));
  return { moved_lost: monitors * expected.size - distinct.size, moved_unknown: stored.length - same.length };
};

/**
 * Kills the hub `--kills` times while it moves the checks of past hours from packs to blocks, and while manual checks are
 * appended to the same packs. After each kill every check has to be there once, and in the sums of its hour if it was moved.
 * `--instances` of a hub on PostgreSQL move the same packs at once; without it the hub uses SQLite.
 */
export const bench = async (args: string[]) => {
  const [kills, monitors] = [option(args, "kills", 20), option(args, "monitors", 2000)];
  const instances = option(args, "instances", 0);
  const store = await (instances > 0 ? createPostgres : createSqlite)(monitors);
  const answered = createAnswered();
  const losses: Record<string, number> = {};
  const running = Math.floor(Date.now() / HOUR);
  const hours: number[] = [];
  let killsDuringMove = 0;
  for (let life = 0; life <= kills; life++) {
    const last = running - 1 - life * HOURS;
    const added = Array.from({ length: HOURS }, (_, index) => last - index).reverse();
    hours.push(...added);
    await appendHours(store, added, monitors);
    const servers = await Promise.all(Array.from({ length: Math.max(1, instances) }, store.start));
    const url = servers[0]?.url ?? "";
    const target = { url, token: await signIn(url), keys: [], monitors };
    // Without pauses the writers would keep the cores from the move.
    const writing = writeOn(target, answered, new AbortController().signal, { pause: 100 });
    // The last life moves everything.
    const most = life < kills ? monitors : 1;
    await until("fewer packs to move", async () => (await countPacks(store, running)) < most);
    if (life < kills) await Bun.sleep(Math.random() * 250);
    else await until("an answered check", async () => countAnswered(answered).checks > 0);
    await Promise.all(servers.map((server) => server.kill()));
    await writing;
    if ((await countPacks(store, running)) > 0) killsDuringMove++;
    const figures = {
      ...(await store.audit(answered)),
      ...(await auditSeeded(store, hours, monitors, running * HOUR)),
    };
    for (const [name, count] of Object.entries(figures)) losses[name] = Math.max(losses[name] ?? 0, count);
  }
  await store.end();
  return {
    kills,
    ...(instances > 0 && { instances }),
    kills_during_move: killsDuringMove,
    moved: monitors * hours.length * CHECKS,
    answered: countAnswered(answered),
    losses,
  };
};
