/**
 * Imports the content of a foreign file:
 *
 *   1. known     what was imported from this source before stays as it is
 *   2. write     channels, policies and monitors, in transactions of at most 200, each object by itself
 *   3. rules     who is notified of the new monitors
 *   4. servers   servers that enroll later, with their thresholds, and a token for each
 *   5. windows   maintenance windows of the monitors
 *   6. pages     the status page, unless the user has one, and further pages
 *   7. incidents of the imported pages
 *
 * A preview does the same and rolls each transaction back.
 */
import { setImmediate } from "node:timers/promises";
import { mayReachPrivate } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import { madeBy, ownedBy } from "../../../db/owner";
import { monitors, statusPages } from "../../../db/schema";
import { parseAddress } from "../../../lib/host";
import { isPublicAddress } from "../../../probe/addresses";
import { hasScope } from "../../../shared/accounts/key-scopes";
import { MAX_THRESHOLDS } from "../../../shared/agents/thresholds";
import type { QuotaName } from "../../../shared/limits";
import { hostOfAddress } from "../../../shared/monitor-kinds/host";
import { PAUSING_NOTES } from "../../../shared/transfer/imports";
import { readQuotas } from "../../accounts/quotas/service";
import { muteNew } from "../../alerting/mutes/service";
import { readUnreported } from "../../servers/enrollment/enroll";
import { issueTokens } from "../../servers/enrollment/tokens";
import { type Owner, recordImport, type TransferPart } from "../part";
import type { Draft, Item } from "../sources/source";
import { note } from "../sources/text";
import { digestOf, purgeKnown, readKnown, writeKnown } from "./known";
import { outcomeOf, type Result } from "./report";
import { importRules } from "./rules";
import { type ApplyOptions, keyOf, type Parts, type Run } from "./run";
import { BATCH, type Entry, parseContent, type Ready, type Writing, writeAll } from "./write";

type Key =
  | ("channels" | "policies" | "monitors" | "agents" | "thresholds" | "windows")
  | ("status_page" | "pages" | "incidents");

const partOf = (parts: Parts, key: string): TransferPart => {
  const part = parts.find((one) => one.key === key);
  if (!part) throw new Error(`there is no part ${key}`);
  return part;
};

/** The target of a monitor if it is an address, or this machine, that its owner may not check. */
const privateTarget = ({ content }: Item, { config }: Deps, owner: Owner): string | null => {
  if (mayReachPrivate(config, owner.role)) return null;
  const { url, config: fields } = Object(content) as { url?: string; config?: { host?: string; url?: string } };
  const address = url ?? fields?.url;
  const host = (address === undefined ? (fields?.host ?? "") : hostOfAddress(address)).toLowerCase();
  if (/^(.+\.)?localhost$/.test(host)) return host;
  return parseAddress(host) !== null && !isPublicAddress(host) ? host : null;
};

/** Stores what becomes of an object, and returns that nothing is left to write. */
const settle = ({ results }: Run, item: Item, result: Partial<Result> = {}): never[] => {
  results.set(item, { item, targetId: null, exists: false, notes: item.notes, ...result });
  return [];
};

const isPausedBy = ({ options }: Run, { notes }: Item): boolean =>
  options.paused || notes.some(({ code }) => PAUSING_NOTES.includes(code));

/** Settles an object that is not written, or returns it. */
const chooseItem =
  (run: Run, part: TransferPart) =>
  (item: Item): Ready[] => {
    const { deps, owner, options, known } = run;
    if (item.content === null) return settle(run, item);
    const before = known.get(item.externalId);
    if (before) {
      const named = part.key === "status_page" ? "pages" : part.key;
      if (item.content.id !== undefined) run.ids.set(keyOf(named, item.content.id), before.targetId);
      const isAgain = part.key === "agents" && run.unreported.has(before.targetId);
      const notes = [
        ...(before.digest === digestOf(item) ? [] : [note("differs")]),
        ...(isAgain ? [note("command_again")] : []),
      ];
      return settle(run, item, { targetId: before.targetId, exists: true, notes });
    }
    if (options.skip.has(item.externalId)) return settle(run, item, { notes: [note("left_out")] });
    if (part.needsScope && !hasScope(options.scopes, [part.needsScope]))
      return settle(run, item, { notes: [note("session_required")] });
    const target = part.key === "monitors" ? privateTarget(item, deps, owner) : null;
    if (target !== null) item.notes.push(note("private_target", target));
    const content =
      part.key === "monitors" && isPausedBy(run, item) ? { ...item.content, active: false } : item.content;
    const ready = parseContent(part, { ...item, content }, deps.config);
    if ("code" in ready) return settle(run, item, { notes: [...item.notes, ready] });
    return [{ item, parsed: ready.parsed }];
  };

/**
 * Settles a threshold of a server without an id: it is left out with its server. A preview, where new servers have none, takes
 * it.
 */
const settleThreshold = (run: Run, item: Item): boolean => {
  const agent = item.content?.agent as number | undefined;
  if (agent === undefined || run.ids.has(keyOf("agents", agent))) return false;
  const server = run.draft.items.find(({ part, content }) => part === "agents" && content?.id === agent);
  const result = server && run.results.get(server);
  const isTaken = run.options.isTrial && result !== undefined && outcomeOf(result) !== "skip";
  settle(run, item, isTaken ? {} : { notes: [...item.notes, note("parent_left_out")] });
  return true;
};

/** Whether a monitor of the file is here, or a trial takes it, where new monitors have no ids. */
const isTaken = ({ draft, ids, results, options }: Run, monitor: number): boolean => {
  if (ids.has(keyOf("monitors", monitor))) return true;
  const item = draft.items.find(({ part, content }) => part === "monitors" && content?.id === monitor);
  const result = item && results.get(item);
  return options.isTrial && result !== undefined && outcomeOf(result) !== "skip";
};

/** Settles a window without monitors and tags. */
const settleWindow = (run: Run, item: Item): boolean => {
  const { monitors = [], tags = [] } = item.content as { monitors?: number[]; tags?: string[] };
  if (tags.length > 0 || monitors.some((monitor) => isTaken(run, monitor))) return false;
  settle(run, item, { notes: [...item.notes, note("parent_left_out")] });
  return true;
};

/** Settles an incident without a page. A preview, where new pages have no ids, takes those whose page it takes. */
const settleIncident = (run: Run, item: Item): boolean => {
  const { pages = [] } = item.content as { pages?: number[] };
  if (pages.some((page) => run.ids.has(keyOf("pages", page)))) return false;
  const page = run.draft.items.find(
    ({ part, content }) => (part === "pages" || part === "status_page") && pages.includes(content?.id ?? 0),
  );
  const result = page && run.results.get(page);
  const isTaken = run.options.isTrial && result !== undefined && outcomeOf(result) !== "skip";
  settle(run, item, isTaken ? {} : { notes: [...item.notes, note("parent_left_out")] });
  return true;
};

const settleDependent = (run: Run, { key }: TransferPart, item: Item): boolean => {
  if (key === "thresholds") return settleThreshold(run, item);
  if (key === "windows") return settleWindow(run, item);
  return key === "incidents" && settleIncident(run, item);
};

/** Settles what is not written, and returns the objects that are. */
const chooseItems = async (run: Run, part: TransferPart, items: readonly Item[]): Promise<Ready[]> => {
  const ready: Ready[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const chosen = items.slice(start, start + BATCH).flatMap(chooseItem(run, part));
    ready.push(...chosen.filter(({ item }) => !settleDependent(run, part, item)));
    await setImmediate();
  }
  return ready;
};

/** The quotas of parts that have one. */
const QUOTAS: Partial<Record<Key, QuotaName>> = { monitors: "monitors", channels: "channels", agents: "servers" };

/** How many more of a kind a user may have. */
const roomFor = async ({ deps, owner }: Run, part: Key): Promise<{ room: number; limit: number }> => {
  const quotas = await readQuotas(deps, owner);
  const name = QUOTAS[part];
  const quota = name && quotas?.[name];
  return quota ? { room: quota.limit - quota.used, limit: quota.limit } : { room: Number.POSITIVE_INFINITY, limit: 0 };
};

/** Writes the objects of one part, and settles each. */
const writePart = async (run: Run, key: Key, now: number): Promise<void> => {
  const { deps, owner, draft, options, ids } = run;
  const part = partOf(run.parts, key);
  const ready = await chooseItems(
    run,
    part,
    draft.items.filter((item) => item.part === key),
  );
  const writing: Writing = { deps, owner, isTrial: options.isTrial, mapId: (to, id) => ids.get(keyOf(to, id)) ?? null };
  const also = async (tx: Database, entries: readonly Entry[]) => {
    const created = entries.filter(({ isNew }) => isNew);
    // A page that the user has saved is not from the file.
    await writeKnown(tx, madeBy(owner), draft, { entries: key === "status_page" ? created : entries, now });
    if (key === "monitors") await muteNew(tx, madeBy(owner), created.map(muteOf(run)), now);
    await recordImport({ ...deps, db: tx }, owner, draft.source, [[key, created.length]]);
  };
  const { room, limit } = await roomFor(run, key);
  let created = 0;
  for (const written of await writeAll(writing, part, ready, also)) {
    const { item } = written;
    if ("refused" in written) settle(run, item, { notes: [...item.notes, written.refused] });
    else if (written.isNew && ++created > room)
      settle(run, item, { notes: [...item.notes, note("quota", `${limit} ${QUOTAS[key]}`)] });
    else if (key === "thresholds" && written.id === 0)
      settle(run, item, { notes: [...item.notes, note("quota", `${MAX_THRESHOLDS} thresholds`)] });
    else {
      const { id, isNew } = written;
      const changed = [...item.notes, ...written.notes];
      // The id of a trial is gone.
      const targetId = (options.isTrial && isNew) || id === 0 ? null : id;
      // Incidents name the first page as the others.
      const named = key === "status_page" ? "pages" : key;
      if (targetId !== null) ids.set(keyOf(named, item.content?.id ?? 0), targetId);
      const notes = !isNew && key === "status_page" ? [note("page_kept")] : changed;
      settle(run, item, { targetId, exists: !isNew, notes });
    }
  }
};

/** The first failed checks of a new monitor are no news: it may not be reachable from here, like many others of the file. */
const muteOf =
  (run: Run) =>
  ({ item, targetId }: Entry) => ({
    id: targetId,
    seconds: Number(item.content?.interval ?? 0),
    isActive: item.content?.active !== false && !isPausedBy(run, item),
  });

/** Objects that were imported before and are not in the file any more. */
const goneItems = ({ draft, known }: Run): Result[] => {
  const there = new Set(draft.items.map(({ externalId }) => externalId));
  return [...known]
    .filter(([externalId]) => !there.has(externalId))
    .map(([externalId, { targetType, targetId }]) => ({
      item: { part: targetType, externalId, name: externalId, kind: "", content: null, notes: [] },
      targetId,
      exists: true,
      notes: [note("gone")],
    }));
};

/** Creates a token for each server that was created, or was imported before and has not reported. */
const issueCommands = async (run: Run): Promise<void> => {
  const { deps, owner, options, results } = run;
  const waiting = [...results.values()].filter(
    ({ item, targetId, exists }) =>
      item.part === "agents" &&
      targetId !== null &&
      !options.skip.has(item.externalId) &&
      (!exists || run.unreported.has(targetId)),
  );
  const mayEnroll = hasScope(options.scopes, ["enroll"]);
  const ids = mayEnroll ? waiting.flatMap(({ targetId }) => targetId ?? []) : [];
  const tokens = await issueTokens(deps, owner, ids);
  const missing = note(mayEnroll ? "command_missing" : "command_session");
  for (const result of waiting) {
    const enrollment = tokens.get(result.targetId ?? 0) ?? null;
    results.set(result.item, { ...result, enrollment, notes: enrollment ? result.notes : [...result.notes, missing] });
  }
};

/** Makes the first status page a further one if the user has saved one, unless an earlier import has created the first. */
const chooseFurther = async ({ deps, owner, draft, known }: Run): Promise<void> => {
  const isSaved = (await deps.db.$count(statusPages, ownedBy(statusPages, owner.teamId))) > 0;
  for (const item of draft.items) {
    const before = known.get(item.externalId);
    if (item.further && (before ? before.targetType === "pages" : isSaved))
      Object.assign(item, { part: "pages", content: item.further });
  }
};

/** Imports a file, or tries to. Returns what became of each object, in the order of the file. */
export const applyDraft = async (
  { deps, parts, owner }: Pick<Run, "deps" | "parts" | "owner">,
  read: Draft,
  options: ApplyOptions,
): Promise<Result[]> => {
  // Notes are added to objects, and a draft may be applied again after a preview.
  const draft = { ...read, items: read.items.map((item) => ({ ...item, notes: [...item.notes] })) };
  const now = deps.clock.now();
  if (!options.isTrial) await purgeKnown(deps, owner.teamId);
  const known = await readKnown(deps, owner.teamId, draft);
  const servers = [...known.values()].filter(({ targetType }) => targetType === "agents");
  const unreported = await readUnreported(
    deps,
    servers.map(({ targetId }) => targetId),
  );
  const run: Run = { deps, parts, owner, draft, options, known, unreported, ids: new Map(), results: new Map() };
  const hadMonitors = (await deps.db.$count(monitors, ownedBy(monitors, owner.teamId))) > 0;
  for (const key of ["channels", "policies", "monitors"] as const) await writePart(run, key, now);
  if (!options.isTrial) await importRules(run, { part: partOf(parts, "notifications"), hadMonitors });
  for (const key of ["agents", "thresholds"] as const) await writePart(run, key, now);
  if (!options.isTrial) await issueCommands(run);
  await writePart(run, "windows", now);
  await chooseFurther(run);
  for (const key of ["status_page", "pages", "incidents"] as const) await writePart(run, key, now);
  for (const item of draft.items) if (!run.results.has(item)) settle(run, item);
  return [...draft.items.flatMap((item) => run.results.get(item) ?? []), ...goneItems(run)];
};
