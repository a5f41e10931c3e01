/** Previews of foreign files, and their import. */
import type { Deps } from "../../../core/deps";
import { AppError, validation } from "../../../core/errors";
import { madeBy } from "../../../db/owner";
import { createMutex } from "../../../lib/concurrency";
import { hasScope } from "../../../shared/accounts/key-scopes";
import { ADDRESS_SOURCE } from "../../../shared/transfer/sources";
import type { Owner, TransferPart } from "../part";
import { readDraftOf } from "../reading/process";
import { SOURCES } from "../sources/registry";
import type { Draft, Item, Source, Upload } from "../sources/source";
import { note } from "../sources/text";
import { applyDraft } from "./apply";
import { fetchByAddress } from "./by-address";
import { fetchByKey, sourceIn } from "./by-key";
import { importHistory } from "./history";
import { readKnown } from "./known";
import { type DoneReport, presentReport, type Report, type Result } from "./report";
import type { ApplyOptions } from "./run";
import { createFolder, findPreview, finishPreview, type Preview, readDraft, removeFolder, savePreview } from "./store";
import { receiveUpload } from "./upload";

type Caller = { owner: Owner; scopes: ApplyOptions["scopes"] };

/** A line of the report about a history that can't be read; the objects are imported all the same. */
const unreadHistory = (error: unknown): Result => {
  if (!(error instanceof AppError)) throw error;
  const notes = [note("history_unreadable", error.message)];
  const item: Item = { part: "other", externalId: "history", name: "history", kind: "", content: null, notes };
  return { item, targetId: null, exists: false, notes };
};

/** Stores the uploaded file, or what a product answers to a key or at an address. @throws {AppError} */
const receive = async (deps: Deps, owner: Owner, request: Request, folder: string): Promise<Upload> => {
  const sent = await sourceIn(request);
  if (!sent) return receiveUpload(request, folder, deps.config.importMaxBytes);
  const missing = (path: "url" | "key") => validation([{ path, message: `${path}: is missing` }]);
  if (sent.source === ADDRESS_SOURCE) {
    if (sent.url === undefined) throw missing("url");
    return fetchByAddress(deps, owner, { url: sent.url, folder });
  }
  if (sent.key === undefined) throw missing("key");
  const { name, byKey } = SOURCES.find((source) => source.name === sent.source) as Source;
  if (!byKey) throw new Error(`${name} is not read with a key`);
  return fetchByKey(deps, { name, byKey }, { key: sent.key, folder });
};

/** The import of foreign files: reading and writing runs for one user at a time, and uploads side by side. */
export const createPreviews = (deps: Deps, parts: readonly TransferPart[], onImport: () => void) => {
  const exclusively = createMutex();

  const tryAll = async ({ owner, scopes }: Caller, draft: Draft): Promise<Report> => {
    const options = { isTrial: true, skip: new Set<string>(), paused: false, scopes };
    return presentReport(draft, await applyDraft({ deps, parts, owner }, draft, options));
  };

  /** Stores and reads a file. Nothing else is stored. @throws {AppError} */
  const preview = async (caller: Caller, request: Request) => {
    const { owner } = caller;
    const { id, folder } = await createFolder(deps, owner.id);
    try {
      const upload = await receive(deps, owner, request, folder);
      return await exclusively(async () => {
        const draft = await readDraftOf(deps, upload);
        const report = await tryAll(caller, draft);
        const saved = await savePreview(deps, { id, userId: owner.id, folder, upload, draft });
        return { preview: saved, draft, report };
      });
    } catch (error) {
      await removeFolder(folder);
      throw error;
    }
  };

  /** The monitors whose history is imported: the new ones, and those whose history an earlier import left out. */
  const withoutHistory = async (
    owner: Owner,
    draft: Draft,
    results: readonly Result[],
  ): Promise<Map<number, number>> => {
    const known = await readKnown(deps, owner.teamId, draft);
    return new Map(
      results.flatMap(({ item, targetId }) => {
        const isOurs = known.get(item.externalId)?.historyUntil === null;
        return item.part === "monitors" && item.content?.id !== undefined && targetId !== null && isOurs
          ? [[item.content.id, targetId]]
          : [];
      }),
    );
  };

  const importDraft = async (
    caller: Caller,
    found: Preview,
    { history, ...options }: Omit<ApplyOptions, "isTrial" | "scopes"> & { history: boolean },
  ) => {
    const { owner, scopes } = caller;
    const draft = await readDraft(found);
    const results = await applyDraft({ deps, parts, owner }, draft, { ...options, isTrial: false, scopes });
    onImport();
    const ids = history && draft.history ? await withoutHistory(owner, draft, results) : new Map<number, number>();
    const { added, failure } = await importHistory(deps, {
      owner: madeBy(owner),
      source: draft.source,
      upload: found.upload,
      ids,
    }).then(
      (added) => ({ added, failure: [] }),
      (error) => ({ added: { days: 0, outages: 0 }, failure: [unreadHistory(error)] }),
    );
    const report = { ...presentReport(draft, [...results, ...failure]), history: added };
    await finishPreview(deps, found, report);
    return report;
  };

  return {
    preview: (caller: Caller, request: Request) =>
      deps.costlyCalls.run(caller.owner.id, () => preview(caller, request)),
    /** @throws {AppError} not_found; conflict, when it is imported already */
    apply: (caller: Caller, id: string, options: Parameters<typeof importDraft>[2]) =>
      deps.costlyCalls.run(caller.owner.id, () =>
        exclusively(async () => {
          const found = await findPreview(deps, caller.owner.id, id);
          if (found.report) throw new AppError("conflict", { reason: "This preview is imported already." });
          return importDraft(caller, found, options);
        }),
      ),
    /** The report of an import. @throws {AppError} not_found */
    report: async ({ owner, scopes }: Caller, id: string): Promise<DoneReport> => {
      const { report } = await findPreview(deps, owner.id, id);
      if (!report) throw new AppError("conflict", { reason: "This preview is not imported yet." });
      // A key that can't create tokens does not read them either.
      if (hasScope(scopes, ["enroll"])) return report;
      return { ...report, items: report.items.map((item) => ({ ...item, enrollment: null })) };
    },
  };
};
