import { Database } from "bun:sqlite";
import { join } from "node:path";
import { encodePack, type StoredCheck } from "../../../src/modules/monitors/history/pack";
import { HOUR, MINUTE } from "../../../src/shared/limits";
import { checkError } from "../../../src/shared/monitor";
import { option, signIn } from "../lib/client";
import { remove, startServer, temporaryDirectory } from "../lib/server";
import { readChecksOf } from "../lib/stored-checks";
import { auditStored, countAnswered } from "./audit";
import { prepare } from "./installation";
import { createAnswered, writeOn } from "./writers";

/** Past hours that each life has to move, and the checks of a monitor in each. */
const [HOURS, CHECKS] = [3, 6];

/** The checks of every monitor in an hour: some are down, and take the long form. */
const checksIn = (hour: number): StoredCheck[] =>
  Array.from({ length: CHECKS }, (_, index) => {
    const checkedAt = hour * HOUR + index * 10 * MINUTE + ((hour + index) % 60);
    return (hour + index) % 5 === 0
      ? { checkedAt, up: false, responseTime: null, statusCode: null, error: checkError("timeout", { seconds: 5 }) }
      : { checkedAt, up: true, responseTime: 10 + (index % 9), statusCode: 200, error: null };
  });

/** Appends the checks of some hours to the packs of all seeded monitors, while no hub runs. */
const appendHours = (dataDir: string, hours: number[], monitors: number): void => {
  const checks = hours.flatMap(checksIn);
  const db = new Database(join(dataDir, "wakeful.db"));
  db.query(
    `update monitor_states set pack = cast(coalesce(pack, x'') || ?1 as blob), pack_hour = min(coalesce(pack_hour, ?2), ?2),
      last_checked_at = ?3 where monitor_id <= ?4`,
  ).run(encodePack(checks), Math.min(...hours), checks.at(-1)?.checkedAt ?? 0, monitors);
  db.close();
};

/** How many packs have checks of hours before this one. */
const countPacks = (db: Database, before: number): number =>
  Number(db.query("select count(*) from monitor_states where pack_hour < ?").values(before)[0]?.[0]);

/** Waits until fewer than `count` packs are to be moved. */
const untilMoved = async (dataDir: string, before: number, count: number): Promise<void> => {
  const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
  for (const begun = performance.now(); countPacks(db, before) >= count; await Bun.sleep(2))
    if (performance.now() - begun > 30_000) throw new Error("the checks of past hours are not moved");
  db.close();
};

/** Compares the stored checks of past hours with those that were seeded. */
const auditSeeded = async (dataDir: string, hours: number[], monitors: number, until: number) => {
  const stored = await readChecksOf(dataDir, { until });
  const known = new Map(hours.flatMap(checksIn).map((check) => [check.checkedAt, Bun.hash(JSON.stringify(check))]));
  const same = stored.filter(
    ({ monitorId: _, ...check }) => known.get(check.checkedAt) === Bun.hash(JSON.stringify(check)),
  );
  return { moved_lost: monitors * known.size - same.length, moved_unknown: stored.length - same.length };
};

/**
 * Kills the hub `--kills` times while it moves the checks of past hours from packs to blocks, and while manual checks are
 * appended to the same packs. After each kill every check has to be there once, and in the sums of its hour if it was moved.
 */
export const fault = async (args: string[]) => {
  const [kills, monitors] = [option(args, "kills", 20), option(args, "monitors", 2000)];
  const dataDir = temporaryDirectory();
  const { targets } = await prepare(dataDir, monitors);
  const answered = createAnswered();
  const losses: Record<string, number> = {};
  const running = Math.floor(Date.now() / HOUR);
  const hours: number[] = [];
  let killsDuringMove = 0;
  for (let life = 0; life <= kills; life++) {
    const last = running - 1 - life * HOURS;
    const added = Array.from({ length: HOURS }, (_, index) => last - index).reverse();
    hours.push(...added);
    appendHours(dataDir, added, monitors);
    const server = await startServer(dataDir, { LOG_LEVEL: "error" });
    const target = { url: server.url, token: await signIn(server.url), keys: [], monitors };
    const writing = writeOn(target, answered, new AbortController().signal);
    // The last life moves everything.
    await untilMoved(dataDir, running, life < kills ? monitors : 1);
    if (life < kills) await Bun.sleep(Math.random() * 250);
    await server.kill();
    await writing;
    const db = new Database(join(dataDir, "wakeful.db"), { readonly: true });
    if (countPacks(db, running) > 0) killsDuringMove++;
    db.close();
    const found = {
      ...(await auditStored(dataDir, answered)),
      ...(await auditSeeded(dataDir, hours, monitors, running * HOUR)),
    };
    for (const [name, count] of Object.entries(found)) losses[name] = Math.max(losses[name] ?? 0, Math.abs(count));
  }
  targets.stop();
  remove(dataDir);
  return {
    kills,
    kills_during_move: killsDuringMove,
    moved: monitors * hours.length * CHECKS,
    answered: countAnswered(answered),
    losses,
  };
};
