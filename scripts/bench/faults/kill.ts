import { option, signIn } from "../lib/client";
import { remove, startServer, temporaryDirectory } from "../lib/server";
import { bench as killAlerts } from "../process/crash-escalations";
import { auditStored, countAnswered } from "./audit";
import { prepare } from "./installation";
import { type Answered, createAnswered, writeOn } from "./writers";

const MONITORS = 60;

const writesOf = ({ monitors, samples, checks, pings }: Answered) =>
  monitors.length + samples.length + checks.length + pings.length;

/** Ends the console without a word, `--kills` times, while it is written to; then the same while alerts flow. */
export const fault = async (args: string[]) => {
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
    // What one life has lost stays lost: the sums of losses are the losses of the last audit, or of an earlier one.
    for (const [name, count] of Object.entries(await auditStored(dataDir, answered)))
      losses[name] = Math.max(losses[name] ?? 0, count);
  }
  targets.stop();
  remove(dataDir);
  type Found = { losses: Record<string, number> };
  const none: Found = { losses: {} };
  const alerts = alertKills > 0 ? ((await killAlerts(["--kills", String(alertKills)])) as Found) : none;
  return {
    kills,
    answered: countAnswered(answered),
    alerts,
    losses: { ...losses, ...alerts.losses },
  };
};
