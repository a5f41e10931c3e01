import { auditStored, countAnswered } from "../lib/audit";
import { option, signIn } from "../lib/client";
import { prepare } from "../lib/installation";
import { remove, startServer, temporaryDirectory } from "../lib/server";
import { type Answered, createAnswered, writeOn } from "../lib/writers";
import { bench as killAlerts } from "./kill-escalations";

const MONITORS = 60;

const writesOf = ({ monitors, samples, checks, pings }: Answered) =>
  monitors.length + samples.length + checks.length + pings.length;

/** Kills the hub `--kills` (60) times while it is written to, and `--alert-kills` (a third) times while outages are escalated. */
export const bench = async (args: string[]) => {
  const kills = option(args, "kills", 60);
  const alertKills = option(args, "alert-kills", Math.ceil(kills / 3));
  const dataDir = temporaryDirectory();
  const { targets, keys } = await prepare(dataDir, MONITORS);
  const answered = createAnswered();
  const losses: Record<string, number> = {};
  for (let life = 0; life < kills; life++) {
    const server = await startServer(dataDir, { LOG_LEVEL: "silent" });
    const token = await signIn(server.url);
    const writing = writeOn(
      { url: server.url, token, keys, monitors: MONITORS },
      answered,
      new AbortController().signal,
    );
    // A slow machine answers late: each kill follows some answers, and comes at any moment between two.
    const enough = writesOf(answered) + 5 + Math.random() * 100;
    // Reports wait for others: every second life lasts until some are answered.
    const samples = life % 2 === 0 ? 0 : answered.samples.length + 1;
    const isEnough = () => writesOf(answered) >= enough && answered.samples.length >= samples;
    for (const begun = performance.now(); !isEnough() && performance.now() - begun < 8000; )
      await Bun.sleep(Math.random() * 20);
    await server.kill();
    await writing;
    // A loss of an earlier life counts, also when the last audit no longer finds it.
    for (const [name, count] of Object.entries(await auditStored(dataDir, answered)))
      losses[name] = Math.max(losses[name] ?? 0, count);
  }
  targets.stop();
  remove(dataDir);
  const alerts = alertKills > 0 ? await killAlerts(["--kills", String(alertKills)]) : null;
  return { kills, answered: countAnswered(answered), alerts, losses: { ...losses, ...alerts?.losses } };
};
