import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./reading";
import { writeWhole } from "./state";

/** The same id means another thing to every other program that derives one like this. */
const PURPOSE = "wakeful host agent";

const hashed = (id: string): string => new Bun.CryptoHasher("sha256", PURPOSE).update(id).digest("hex");

/** The id made up for a system that has none, the same one at each start. */
const ownId = (folder: string): string => {
  const path = join(folder, "machine-id");
  try {
    const id = readFileSync(path, "utf8").trim();
    if (id) return id;
  } catch {}
  const id = crypto.randomUUID();
  writeWhole(path, `${id}\n`);
  return id;
};

/** Names this machine to the console without telling it the system's own id. */
export const machineIdOf = async (platform: Pick<Platform, "machineId">, folder: string): Promise<string> =>
  hashed((await platform.machineId()) ?? ownId(folder));
