import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { freemem, setPriority } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import { isMusl } from "../../../build-info";
import type { Deps } from "../../../core/deps";
import type { Compression } from "../../../shared/agents/downloads";
import { MINUTE } from "../../../shared/limits";

// On one core for 113 MB: zstd 9 takes 2.8 s and leaves 47 MB, where 15 takes 22 s and leaves 46 MB; gzip 6 takes 1.6 s
// and leaves 54 MB. Both add some 10 MB of memory while they run.
const compressors = {
  zst: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  gz: () => createGzip({ level: 6 }),
};

/** The least free memory for xz, which takes 94 MB (bytes). */
const XZ_NEEDS = 512 * 2 ** 20;
/** It takes 40 s of a core for 113 MB and leaves 39 MB. */
const XZ_TIMEOUT = 20 * MINUTE;
const LOWEST_PRIORITY = 19;

/** The filter for x86 saves 3 %. BusyBox can't undo it, and systems with musl often have nothing else. */
const XZ_ARGUMENTS = [
  ...["--stdout", "--threads=1", "--no-warn"],
  ...(process.arch === "x64" && !isMusl ? ["--x86"] : []),
  "--lzma2=preset=6",
];

/** Compresses a file with this machine's xz, which leaves the processors to everything else. */
const runXz = async (xz: string, file: string, draft: string): Promise<void> => {
  const child = Bun.spawn([xz, ...XZ_ARGUMENTS, file], {
    env: {},
    stdin: "ignore",
    stdout: Bun.file(draft),
    stderr: "ignore",
    timeout: XZ_TIMEOUT,
  });
  try {
    setPriority(child.pid, LOWEST_PRIORITY);
  } catch {
    // It has ended already.
  }
  const kill = () => child.kill();
  process.once("exit", kill);
  const code = await child.exited;
  process.off("exit", kill);
  if (code !== 0) throw new Error(`xz ended with ${child.signalCode ?? code}`);
};

/** After a failure it is not tried again for this time: anybody may ask, and it takes seconds of a core. */
const RETRY_AFTER = 10 * MINUTE;

type Tools = {
  clock: Pick<Deps["clock"], "now">;
  log: Pick<Deps["log"], "warn">;
  /** The path of xz on this machine; null if it is missing or memory is short. */
  findXz?: () => string | null;
};

/**
 * Compresses the hub's own executable into `folder` when it is first requested: one run at a time for each compression,
 * kept until the executable changes. The answer for xz is null until the file is there, because it takes too long to wait for.
 */
export const createCompressedFiles = (
  folder: string,
  { clock, log, findXz = () => (freemem() >= XZ_NEEDS ? Bun.which("xz") : null) }: Tools,
) => {
  const running = new Map<Compression, Promise<string | null>>();
  const failedAt = new Map<Compression, number>();

  const write = async (file: string, draft: string, form: Compression, xz: string | null): Promise<void> => {
    if (form !== "xz")
      await pipeline(createReadStream(file), compressors[form](), createWriteStream(draft, { mode: 0o600 }));
    else if (xz) await runXz(xz, file, draft);
  };

  const compress = async (
    file: string,
    target: string,
    form: Compression,
    xz: string | null,
  ): Promise<string | null> => {
    const draft = `${target}.${process.pid}.new`;
    try {
      mkdirSync(folder, { recursive: true });
      // Files of an earlier version or an interrupted run.
      for (const name of readdirSync(folder))
        if (name.includes(`.${form}`)) rmSync(join(folder, name), { force: true });
      await write(file, draft, form, xz);
      renameSync(draft, target);
      return target;
    } catch (error) {
      failedAt.set(form, clock.now());
      if (existsSync(draft)) rmSync(draft, { force: true });
      log.warn("the agent's program could not be compressed; it is offered as it is", { error: String(error) });
      return null;
    }
  };

  /** The path of the compressed file; null where it cannot be written. */
  return async (file: string, form: Compression): Promise<string | null> => {
    const { mtimeMs, size } = statSync(file);
    const target = join(folder, `wakeful-${Math.trunc(mtimeMs)}-${size}.${form}`);
    if (existsSync(target)) return target;
    const job = running.get(form);
    if (job) return form === "xz" ? null : job;
    const failed = failedAt.get(form);
    if (failed !== undefined && Math.abs(clock.now() - failed) < RETRY_AFTER) return null;
    const xz = form === "xz" ? findXz() : null;
    if (form === "xz" && xz === null) return null;
    const run = compress(file, target, form, xz).finally(() => running.delete(form));
    running.set(form, run);
    return form === "xz" ? null : run;
  };
};
