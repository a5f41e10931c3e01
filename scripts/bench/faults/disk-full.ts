import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { option, signIn } from "../lib/client";
import { startServer } from "../lib/server";
import { auditStored, countAnswered } from "./audit";
import { prepare } from "./installation";
import { createAnswered, writeOn } from "./writers";

const MONITORS = 20;

const run = (...words: string[]): void => {
  const { success, stderr } = Bun.spawnSync(words);
  if (!success) throw new Error(`${words.join(" ")}: ${stderr}`);
};

/** Takes all the space that is left. */
const fill = (file: string): number => {
  const handle = openSync(file, "w");
  for (let size = 65_536; size >= 512; size /= 2) {
    try {
      for (;;) writeSync(handle, Buffer.alloc(size));
    } catch {
      // A smaller piece may still fit.
    }
  }
  fsyncSync(handle);
  closeSync(handle);
  return statSync(file).size;
};

/** A disk that is full for `--seconds`, again and again for `--rounds`: refusals in between, and no loss after. Needs root. */
export const fault = async (args: string[]) => {
  const [rounds, seconds] = [option(args, "rounds", 3), option(args, "seconds", 5)];
  const dataDir = mkdtempSync(join(tmpdir(), "wakeful-full-"));
  run("mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", dataDir);
  const answered = createAnswered();
  const counts = {
    refused_while_full: 0,
    well_while_full: 0,
    unwell_after: 0,
    read_refused: 0,
    slowest_recovery_ms: 0,
  };
  try {
    const { targets, keys } = await prepare(dataDir, MONITORS);
    const server = await startServer(dataDir, { LOG_LEVEL: "silent" });
    const token = await signIn(server.url);
    const read = (path: string) =>
      fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
        () => 0,
      );
    const writing = new AbortController();
    const written = writeOn({ url: server.url, token, keys, monitors: MONITORS }, answered, writing.signal, true);
    for (let round = 0; round < rounds; round++) {
      await Bun.sleep(1000);
      const before = answered.refused["503"] ?? 0;
      fill(join(dataDir, "filler"));
      await Bun.sleep(seconds * 1000);
      if ((await read("/health")) === 200) counts.well_while_full++;
      if ((await read("/api/monitors")) !== 200) counts.read_refused++;
      counts.refused_while_full += (answered.refused["503"] ?? 0) - before;
      rmSync(join(dataDir, "filler"));
      const freed = performance.now();
      while ((await read("/health")) !== 200 && performance.now() - freed < 10_000) await Bun.sleep(50);
      if ((await read("/health")) !== 200) counts.unwell_after++;
      counts.slowest_recovery_ms = Math.max(counts.slowest_recovery_ms, Math.round(performance.now() - freed));
    }
    await Bun.sleep(1000);
    writing.abort();
    await written;
    await server.stop();
    targets.stop();
    const { well_while_full, unwell_after, read_refused } = counts;
    const others = Object.entries(answered.refused).filter(([status]) => status !== "503");
    return {
      rounds,
      answered: countAnswered(answered),
      ...counts,
      losses: {
        ...(await auditStored(dataDir, answered)),
        never_refused: Number(counts.refused_while_full === 0),
        other_answers: others.reduce((sum, [, count]) => sum + count, 0),
        well_while_full,
        unwell_after,
        read_refused,
      },
    };
  } finally {
    run("umount", "-l", dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  }
};
