/** Products whose files can be imported: each source reads its files and maps their objects to the form of exported ones. */
import type { Config } from "../../../core/config";
import type { Interval } from "../../../lib/intervals";
import type { ImportNoteCode, ImportPart } from "../../../shared/transfer/imports";
import type { ImportSource } from "../../../shared/transfer/sources";
import type { Fields } from "./text";

/** Why an object is not taken as it is: a code, and what its sentence is about. */
export type Note = { code: ImportNoteCode; detail: string };

/** An object of a file. */
export type Item = {
  part: ImportPart;
  /** Its id at the source, unique in the file and the same in later files. */
  externalId: string;
  name: string;
  /** Its kind at the source, such as the type of a monitor. */
  kind: string;
  /**
   * Its form in an exported file, with ids of its own file; null if nothing is created. The rules of monitors refer to
   * these ids, too.
   */
  content: ({ id?: number } & Record<string, unknown>) | null;
  notes: Note[];
  /** Of the first status page: its form as a further page, where the user has saved one. */
  further?: Item["content"];
  /** Nothing is created, and yet nothing is lost, as with a group that becomes a tag. */
  isAbsorbed?: boolean;
};

/** Who is notified of a monitor: ids in the file. */
export type ItemRule = { channels: number[]; policy: number | null };

/** The content of a file. */
export type Draft = {
  source: ImportSource;
  /** Version of the product that wrote the file. */
  version: string;
  /** Identifies the installation that the file is from; empty if the file does not say. */
  sourceId: string;
  items: Item[];
  /** By the id of a monitor in the file; monitors that are left out follow the setting for all. */
  rules: Record<number, ItemRule>;
  /** When the history begins, where there is one. */
  history: { from: number } | null;
};

/** Figures of an hour or a day of a monitor, whose id is that in the file: response times are in milliseconds. */
export type HistorySum = {
  id: number;
  /** The hour or day since the epoch. */
  bucket: number;
  up: number;
  down: number;
  /** Response times of `answered` checks. */
  answered: number;
  totalTime: number;
  minTime: number | null;
  maxTime: number | null;
};

/** The start and end of an outage of a monitor, in milliseconds since the epoch; `to` is null while it is open. */
export type HistoryOutage = { id: number; from: number; to: number | null; text: string };

/** A part of the history of some monitors. A bucket is in one part only. */
export type HistoryPart = {
  hours?: HistorySum[];
  days?: HistorySum[];
  outages?: HistoryOutage[];
  /** The first and the last time about which something is known of a monitor. */
  spans?: { id: number; from: number; until: number }[];
};

/** Uploaded files: the first one is the import itself, and a write-ahead log may be beside it. */
export type Upload = { file: string; size: number; hasWal: boolean };

/** What reading depends on beside the file, as data, because files are read by a process of their own. */
export type ReadContext = { config: Pick<Config, "minInterval">; now: number };

/** How the objects of a product are read from its API with a key. */
type ByKey = {
  /** The only address that is asked. */
  origin: string;
  headers: (key: string) => Record<string, string>;
  /** Reads answers by their paths, and returns the content of a file with all of them. `span` is how long a history is kept. */
  read: (get: (path: string) => Promise<Fields>, span: Interval) => Promise<unknown>;
};

/** A product whose files can be read. */
export type Source = {
  name: ImportSource;
  byKey?: ByKey;
  /** Whether a file is one of this product. `start` is its first bytes. */
  recognise: (upload: Upload, start: Uint8Array) => boolean | Promise<boolean>;
  /** @throws {AppError} import_unreadable, with the reason */
  read: (upload: Upload, context: ReadContext) => Promise<Draft>;
  /** Reads the history of the monitors with these ids in the file. */
  readHistory?: (upload: Upload, ids: ReadonlySet<number>) => AsyncIterable<HistoryPart>;
};
