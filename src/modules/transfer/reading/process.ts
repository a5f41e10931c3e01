/**
 * Reads files of unknown origin in a process of its own, which runs `wakeful read-import`. A worker would not do: ending
 * one does not stop a query of SQLite that runs for ever on a damaged or hostile file. The process has none of the settings of
 * this one, a low priority, and its memory is free once it ends.
 */
import { constants, setPriority } from "node:os";
import { ownCommand } from "../../../build-info";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { MINUTE } from "../../../shared/limits";
import { IMPORT_SOURCES, type ImportSource } from "../../../shared/transfer/sources";
import type { Draft, HistoryPart, Upload } from "../sources/source";
import { unreadable } from "../sources/sqlite";
import type { Answer, Reading } from "./answer";

/** How long a process may run, which for a history includes the time to store it. */
const LONGEST = { draft: 2 * MINUTE, history: 30 * MINUTE };

/** Temporary files of SQLite, what Windows needs to start a process, and a heap that grows in small steps. */
const environment = (): Record<string, string> => {
  const { TMPDIR, SystemRoot } = process.env;
  return { BUN_OPTIONS: "--smol", ...(TMPDIR && { TMPDIR }), ...(SystemRoot && { SystemRoot }) };
};

const linesOf = async function* (output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of output) {
    rest += decoder.decode(chunk, { stream: true });
    // A line may have megabytes, and joining its chunks is cheap as long as they are not searched again.
    if (!chunk.includes(10)) continue;
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
};

/**
 * Reads a file, and ends the process when it takes longer than `timeout` milliseconds, or its answers are not wanted any more.
 * @throws {AppError} import_unreadable
 */
export const readInProcess = async function* (
  reading: Reading,
  timeout: number = LONGEST[reading.of],
): AsyncGenerator<Exclude<Answer, { unreadable: string }>> {
  const child = Bun.spawn([...ownCommand(), "read-import"], {
    env: environment(),
    stdin: Buffer.from(JSON.stringify(reading)),
    stdout: "pipe",
    stderr: "pipe",
    timeout,
    killSignal: "SIGKILL",
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The service manager may forbid it, or the process has ended already.
  }
  try {
    for await (const line of linesOf(child.stdout)) {
      const answer = JSON.parse(line) as Answer;
      if ("unreadable" in answer) throw unreadable(answer.unreadable);
      yield answer;
    }
    const [code, text] = [await child.exited, await new Response(child.stderr).text()];
    if (child.signalCode !== null) throw unreadable("reading it takes too long or too much memory, or it is damaged");
    if (code !== 0) throw new Error(`an import could not be read: ${text.trim()}`);
  } finally {
    child.kill("SIGKILL");
  }
};

const titles = Object.values(IMPORT_SOURCES).join(", ");

/** The objects of a file. @throws {AppError} import_unreadable, import_unknown */
export const readDraftOf = async (
  { config, clock }: Pick<Deps, "config" | "clock">,
  upload: Upload,
): Promise<Draft> => {
  const context = { config: { minInterval: config.minInterval }, now: clock.now() };
  for await (const answer of readInProcess({ of: "draft", upload, context }))
    if ("draft" in answer && answer.draft) return answer.draft;
  throw new AppError("import_unknown", { sources: titles });
};

/** The history of the monitors with these ids in a file. @throws {AppError} import_unreadable */
export const readHistoryOf = async function* (
  source: ImportSource,
  upload: Upload,
  ids: readonly number[],
): AsyncGenerator<HistoryPart> {
  for await (const answer of readInProcess({ of: "history", source, upload, ids }))
    if ("part" in answer) yield answer.part;
};
