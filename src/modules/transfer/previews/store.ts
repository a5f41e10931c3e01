/**
 * Files that were uploaded for a preview, with what was read of them. They may hold secrets: only this user of the machine
 * can read them, and they are deleted after half an hour, and when their user uploads another one.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deps } from "../../../core/deps";
import { notFound, unavailable } from "../../../core/errors";
import { databaseOf } from "../../../db/database";
import { HOUR, MINUTE } from "../../../shared/limits";
import type { Draft, Upload } from "../sources/source";
import type { DoneReport } from "./report";

/** How long a preview is kept. */
const KEPT = 30 * MINUTE;
/** Previews of all users; the oldest goes first. */
const MAX_PREVIEWS = 20;
/** Bytes of the disk that stay free. */
const RESERVE = 256 * 1024 * 1024;

export type Preview = {
  id: string;
  userId: number;
  folder: string;
  expiresAt: number;
  upload: Upload;
  report: DoneReport | null;
};

type Store = { base: string; instance: string; previews: Map<string, Preview> };
const stores = new WeakMap<object, Store>();

type Needed = Pick<Deps, "db" | "config" | "clock" | "instance">;

const storeOf = ({ db, config, instance }: Needed): Store => {
  const key = databaseOf(db);
  const existing = stores.get(key);
  if (existing) return existing;
  const base = join(existsSync(config.dataDir) ? config.dataDir : tmpdir(), "imports");
  const store: Store = { base, instance, previews: new Map() };
  stores.set(key, store);
  return store;
};

/** The folder with the files of this process. */
export const folderOf = (deps: Needed): string => {
  const { base, instance } = storeOf(deps);
  return join(base, instance);
};

const remove = async (store: Store, { id, folder }: Preview): Promise<void> => {
  store.previews.delete(id);
  await rm(folder, { recursive: true, force: true });
};

/** Deletes what has expired, and what a process left behind that was killed. */
export const sweepPreviews = async (deps: Needed): Promise<void> => {
  const store = storeOf(deps);
  const now = deps.clock.now();
  for (const preview of store.previews.values()) if (preview.expiresAt <= now) await remove(store, preview);
  for (const instance of await readdir(store.base).catch(() => [])) {
    if (instance === store.instance) continue;
    const path = join(store.base, instance);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (mtimeMs < now - HOUR) await rm(path, { recursive: true, force: true });
  }
};

/** @throws {AppError} unavailable, when the disk has no room for `bytes` more */
export const assertRoom = async (folder: string, bytes: number): Promise<void> => {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes + RESERVE) throw unavailable("The disk of the hub has no room for this file.");
};

/** Creates the folder of a new preview of a user, and deletes their last one. */
export const createFolder = async (deps: Needed, userId: number): Promise<{ id: string; folder: string }> => {
  const store = storeOf(deps);
  await sweepPreviews(deps);
  const theirs = [...store.previews.values()].filter((preview) => preview.userId === userId);
  const oldest = [...store.previews.values()].slice(0, Math.max(0, store.previews.size - MAX_PREVIEWS + 1));
  for (const preview of new Set([...theirs, ...oldest])) await remove(store, preview);
  const id = Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString("base64url");
  const folder = join(folderOf(deps), id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { id, folder };
};

const draftFile = ({ folder }: Pick<Preview, "folder">): string => join(folder, "draft.json");

export const savePreview = async (
  deps: Needed,
  { draft, ...preview }: Omit<Preview, "expiresAt" | "report"> & { draft: Draft },
): Promise<Preview> => {
  await Bun.write(draftFile(preview), JSON.stringify(draft), { mode: 0o600 });
  const saved = { ...preview, expiresAt: deps.clock.now() + KEPT, report: null };
  storeOf(deps).previews.set(saved.id, saved);
  return saved;
};

export const readDraft = (preview: Preview): Promise<Draft> => Bun.file(draftFile(preview)).json();

/** @throws {AppError} not_found, also for another user's and after its expiry */
export const findPreview = async (deps: Needed, userId: number, id: string): Promise<Preview> => {
  const preview = storeOf(deps).previews.get(id);
  if (!preview || preview.userId !== userId || preview.expiresAt <= deps.clock.now())
    throw notFound("This preview, which is kept for 30 minutes,");
  return preview;
};

/** Deletes the uploaded file once its import is done; the report is kept. */
export const finishPreview = async (deps: Needed, preview: Preview, report: DoneReport): Promise<void> => {
  preview.report = report;
  preview.expiresAt = deps.clock.now() + KEPT;
  await rm(preview.folder, { recursive: true, force: true });
};

/** Deletes the folder of a preview that failed. */
export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });
