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
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGzip, createZstdCompress } from "node:zlib";
import type { Deps } from "../../../core/deps";
import { MINUTE } from "../../../shared/limits";

/** The compressions that the runtime has; xz is offered where a release brings it. */
type OwnCompression = "zst" | "gz";

// On one core for 113 MB: zstd 9 takes 2.8 s and leaves 47 MB, where 15 takes 22 s and leaves 46 MB; gzip 6 takes 1.6 s
// and leaves 54 MB. Both add some 10 MB of memory while they run.
const compressors = {
  zst: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  gz: () => createGzip({ level: 6 }),
};

/** After a failure it is not tried again for this time: anybody may ask, and it takes seconds of a core. */
const RETRY_AFTER = 10 * MINUTE;

/**
 * Compresses the hub's own executable into `folder` when it is first requested: one run at a time for each compression,
 * kept until the executable changes.
 */
export const createCompressedFiles = (
  folder: string,
  { clock, log }: { clock: Pick<Deps["clock"], "now">; log: Pick<Deps["log"], "warn"> },
) => {
  const running = new Map<OwnCompression, Promise<string | null>>();
  const failedAt = new Map<OwnCompression, number>();

  const compress = async (file: string, target: string, form: OwnCompression): Promise<string | null> => {
    const draft = `${target}.${process.pid}.new`;
    try {
      mkdirSync(folder, { recursive: true });
      // Those of an earlier version, and what an interrupted run left.
      for (const name of readdirSync(folder))
        if (name.includes(`.${form}`)) rmSync(join(folder, name), { force: true });
      await pipeline(createReadStream(file), compressors[form](), createWriteStream(draft, { mode: 0o600 }));
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
  return async (file: string, form: OwnCompression): Promise<string | null> => {
    const { mtimeMs, size } = statSync(file);
    const target = join(folder, `wakeful-${Math.trunc(mtimeMs)}-${size}.${form}`);
    if (existsSync(target)) return target;
    const known = running.get(form);
    if (known) return known;
    const failed = failedAt.get(form);
    if (failed !== undefined && Math.abs(clock.now() - failed) < RETRY_AFTER) return null;
    const run = compress(file, target, form).finally(() => running.delete(form));
    running.set(form, run);
    return run;
  };
};
