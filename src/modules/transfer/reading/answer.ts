import type { ImportSource } from "../../../shared/transfer/sources";
import { SOURCES, sourceOf } from "../sources/registry";
import type { Draft, HistoryPart, ReadContext, Upload } from "../sources/source";
import { Unreadable } from "../sources/sqlite";

/** A request: the objects of a file, or the history of the monitors with these ids in it. */
export type Reading =
  | { of: "draft"; upload: Upload; context: ReadContext }
  | { of: "history"; upload: Upload; source: ImportSource; ids: readonly number[] };

/** A part of the answer. A draft is null when no source knows the file. */
export type Answer = { draft: Draft | null } | { part: HistoryPart } | { unreadable: string };

/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

/** A draft without a history whose start can't be told. */
const withHistory = (draft: Draft): Draft =>
  draft.history === null || isTime(draft.history.from) ? draft : { ...draft, history: null };

const answersOf = async function* (reading: Reading): AsyncGenerator<Answer> {
  const { upload } = reading;
  if (reading.of === "draft") {
    const source = await sourceOf(upload);
    return yield { draft: source ? withHistory(await source.read(upload, reading.context)) : null };
  }
  const source = SOURCES.find(({ name }) => name === reading.source);
  for await (const part of source?.readHistory?.(upload, new Set(reading.ids)) ?? []) yield { part };
};

/** Reads a file of unknown origin in this process. A file that can't be read ends the answers with the reason. */
export const answer = async function* (reading: Reading): AsyncGenerator<Answer> {
  try {
    yield* answersOf(reading);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    yield { unreadable: error.reason };
  }
};
