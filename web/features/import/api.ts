import { ADDRESS_SOURCE, type KEY_SOURCES } from "../../../src/shared/transfer/sources";
import { api, CallError, payload } from "../../api";

/** How long a file may take to upload, to be read and to be imported (ms). */
const TIMEOUT = 15 * 60_000;

const longCall = () => ({ fetch: { signal: AbortSignal.timeout(TIMEOUT) } });

/** Whether a file is the write-ahead log of a database. */
const isLog = ({ name }: File) => /-wal$/i.test(name);

/** Uploads a file, and the write-ahead log of a database beside it. */
export const previewFiles = (files: readonly File[]) => {
  const file = files.find((one) => !isLog(one) && !/-shm$/i.test(one.name));
  const wal = files.find(isLog);
  return payload(api.import.preview.post({ file, ...(wal && { wal }) } as never, longCall()));
};

/** Reads the objects of a product with a key of its API. */
export const previewByKey = (source: (typeof KEY_SOURCES)[number], key: string) =>
  payload(api.import.preview.post({ source, key } as never, longCall()));

/** Reads a public status page. */
export const previewByAddress = (url: string) =>
  payload(api.import.preview.post({ source: ADDRESS_SOURCE, url } as never, longCall()));

export type Preview = Awaited<ReturnType<typeof previewFiles>>;
export type ImportedItem = Preview["items"][number];

export type Choice = { skip: string[]; paused: boolean; history: boolean };

const apply = (id: string, choice: Choice) => payload(api.import.preview({ id }).apply.post(choice, longCall()));
export type Applied = Awaited<ReturnType<typeof apply>>;

/** Milliseconds between two looks for the report of an import whose answer was lost. */
const LOOK_EVERY = 5000;

/** Whether a proxy has ended a call that took long, while the hub goes on. */
const isLost = (error: unknown) =>
  error instanceof CallError && (["network", "timeout"].includes(error.code) || [502, 504].includes(error.status));

const waitForReport = async (id: string): Promise<Applied> => {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    try {
      return await payload(api.import.preview({ id }).report.get());
    } catch (error) {
      // Until the import is done there is no report.
      if (!isLost(error) && !(error instanceof CallError && error.code === "conflict")) throw error;
    }
  }
};

/** Imports what is chosen of a preview. */
export const applyPreview = (id: string, choice: Choice): Promise<Applied> =>
  apply(id, choice).catch((error) => {
    if (!isLost(error)) throw error;
    return waitForReport(id);
  });

export const readReportCsv = (id: string) =>
  payload(api.import.preview({ id })["report.csv"].get()) as Promise<unknown>;
