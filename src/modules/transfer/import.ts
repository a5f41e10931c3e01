import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../core/deps";
import { AppError, quotaReached } from "../../core/errors";
import { channels, monitors } from "../../db/schema";
import { reserveIds } from "../../db/sql";
import { integer, list, object } from "../../server/answers";
import { monitorKey } from "../monitors/service";
import { comparable } from "../notifications/channels/config";
import { builtInChannel } from "../notifications/channels/registry";
import { limitOf } from "../quotas/service";
import { freeSlug } from "../status-page/service";
import { matchEqual, matchServer } from "./match";
import type { Document } from "./model";
import { ImportNote, noteBuiltIn, noteSecrets, noteServers, noteUnchanged } from "./notes";
import { type Parsed, parseDocument } from "./parse";
import { type Ids, planPage, planSettings } from "./plan";
import { type Own, readOwn, writeAdditions } from "./store";

type Owner = { id: number; username: string; role: "admin" | "user" };
const counts = (what: string, example: number) =>
  object({
    monitors: integer(`How many ${what}: monitors.`, example),
    channels: integer(`How many ${what}: channels.`, example),
    settings: integer(`How many ${what}: settings.`, example),
    status_page: integer(`How many ${what}: status_page.`, example),
  });
export const ImportResult = object({
  created: counts("were created", 1),
  skipped: counts("already existed", 0),
  notes: list(ImportNote, "Hints for the user."),
});
export type Imported = Static<typeof ImportResult>;

const TRIES = 5;

const channelKey = ({ name, type, config }: Pick<Own["channels"][number], "name" | "type" | "config">) =>
  JSON.stringify([name, type, Object.entries(comparable({ type, config })).toSorted()]);

/** The ids of existing items, and reserved ids for new ones. */
const settleIds = async ({ db }: Pick<Deps, "db">, document: Document, parsed: Parsed, own: Own) => {
  const named = <T extends object>(list: T[], sent: { id?: number }[] = []) =>
    list.map((thing, index) => ({ ...thing, id: sent[index]?.id }));
  const known = {
    monitors: matchEqual(named(parsed.monitors, document.monitors), own.monitors, monitorKey),
    channels: matchEqual(named(parsed.channels, document.channels), own.channels, channelKey),
  };
  const count = (ids: (number | null)[]) => ids.filter((id) => id === null).length;
  const fresh = {
    monitors: await reserveIds(db, monitors, count(known.monitors)),
    channels: await reserveIds(db, channels, count(known.channels)),
  };
  const settle = (part: "monitors" | "channels") => known[part].map((id) => id ?? (fresh[part].shift() as number));
  const ids: Ids = {
    monitors: settle("monitors"),
    channels: settle("channels"),
    agents: (document.agents ?? []).map((agent) => matchServer(agent, own.agents)),
  };
  const isNew = (part: "monitors" | "channels") => (_: unknown, index: number) => known[part][index] === null;
  const identified = <T>(list: T[], part: "monitors" | "channels") =>
    list.map((thing, index) => ({ ...thing, id: ids[part][index] as number })).filter(isNew(part));
  return { ids, monitors: identified(parsed.monitors, "monitors"), channels: identified(parsed.channels, "channels") };
};

/** @throws {AppError} quota_reached, when the additions exceed a quota */
const assertRoom = (
  { config }: Pick<Deps, "config">,
  { role }: Owner,
  own: Own,
  fresh: Record<"monitors" | "channels", unknown[]>,
): void => {
  for (const part of ["monitors", "channels"] as const) {
    const limit = limitOf({ config }, part);
    if (role !== "admin" && fresh[part].length > 0 && own.snapshots[part].count + fresh[part].length > limit)
      throw quotaReached(part, limit);
  }
};

const tryImport = async (deps: Deps, owner: Owner, document: Document, parsed: Parsed): Promise<Imported | null> => {
  const own = await readOwn(
    deps,
    owner,
    parsed.monitors.map(({ name }) => name),
  );
  const fresh = await settleIds(deps, document, parsed, own);
  assertRoom(deps, owner, own, fresh);
  const builtIn = owner.role === "admin" && builtInChannel(deps.config) !== null;
  const { settings, missing, builtInMissing } = planSettings(document, parsed, fresh.ids, builtIn);
  const planned = planPage(document, parsed, fresh.ids);
  const stored = new Set(own.settings.map(({ targetType, targetId }) => `${targetType} ${targetId}`));
  const newSettings = settings.filter(({ targetType, targetId }) => !stored.has(`${targetType} ${targetId}`));
  const newPage = planned && !own.page ? planned.page : null;
  const additions = {
    monitors: fresh.monitors,
    channels: fresh.channels,
    settings: newSettings,
    page: newPage && { ...newPage, slug: await freeSlug(deps, owner) },
  };
  if (!(await writeAdditions(deps, owner, own, additions))) return null;

  const added = new Set(fresh.channels.map(({ id }) => id));
  const notes = [
    ...noteSecrets(parsed, (index) => added.has(fresh.ids.channels[index] as number)),
    ...noteServers(document, [...missing, ...(planned?.missing ?? [])]),
    ...noteBuiltIn(builtInMissing),
    ...noteUnchanged(own, settings, planned?.page),
  ];
  const created = {
    monitors: fresh.monitors.length,
    channels: fresh.channels.length,
    settings: newSettings.length,
    status_page: newPage ? 1 : 0,
  };
  return {
    created,
    skipped: {
      monitors: parsed.monitors.length - created.monitors,
      channels: parsed.channels.length - created.channels,
      settings: settings.length - created.settings,
      status_page: (planned ? 1 : 0) - created.status_page,
    },
    notes,
  };
};

/**
 * Adds the content of a file to what a user has, all or nothing. Existing items are skipped and unchanged, so
 * importing the same file again changes nothing.
 * @throws {AppError} validation, with the path of each bad field; quota_reached
 */
export const importConfiguration = async (deps: Deps, owner: Owner, document: Document): Promise<Imported> => {
  const parsed = parseDocument(document);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const imported = await tryImport(deps, owner, document, parsed);
    if (imported) return imported;
  }
  throw new AppError("conflict", { reason: "Your data was changed during the import. Try again." });
};
