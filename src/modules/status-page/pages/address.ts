/** Where status pages are. */
import type { Deps } from "../../../core/deps";
import { readSetting } from "../../../db/app-settings";

/** The path of a page below the address of the hub; without a slug, of the first administrator's page. */
export const pathOf = (slug: string | undefined): string => (slug ? `/status/${encodeURIComponent(slug)}` : "/status");

/** The address of the hub without a slash at the end; empty where none is known. */
export const hubAddress = async ({ db, config }: Pick<Deps, "db" | "config">): Promise<string> =>
  config.publicUrl || ((await readSetting(db, "seen_url")) ?? "");

/** The public address of a status page, without a slash at the end. `base` is the address of the hub. */
export const pageAddress = (base: string, { slug }: { slug: string | undefined }): string => base + pathOf(slug);
