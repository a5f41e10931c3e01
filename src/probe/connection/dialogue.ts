/** Talks to a server in steps of a request and the judgement of its answer. */
import type { Socket } from "node:net";
import type { CheckError } from "../../shared/check-error";
import { AnswerIncomplete, CheckFailed } from "../outcome";

/** Bytes of one answer that are read at most. */
const MAX_ANSWER = 65_536;

/** The verdict on an incomplete answer: undecided, as expected, as expected and the last, or an error. */
export type Verdict = "more" | "ok" | "done" | CheckError;

export type Step = {
  send?: Uint8Array;
  /** Judges an answer from its start; without this, nothing is read. */
  judge?: (answer: Buffer) => Verdict;
  /** The error of an answer that ends, or becomes too long, before it is decided. */
  undecided?: CheckError;
  /** The step that the accepted answer calls for, before the following ones; null for none. */
  next?: (answer: Buffer) => Step | null | Promise<Step | null>;
};

const closed = () => Object.assign(new Error("closed"), { code: "ECONNRESET" });

type Answer = { bytes: Buffer; isLast: boolean };

/**
 * Takes one step on a connection.
 * @throws {CheckFailed}, the error of the connection, or the signal's reason
 */
const takeStep = (socket: Socket, step: Step, signal: AbortSignal, wasAnswered: boolean): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { send, judge, undecided } = step;
    let answer = Buffer.alloc(0);
    const settle = (finish: () => void) => {
      signal.removeEventListener("abort", onAbort);
      socket.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onError).pause();
      finish();
    };
    const onError = (error: unknown) => settle(() => reject(error));
    const onAbort = () => onError(wasAnswered || answer.length > 0 ? new AnswerIncomplete() : signal.reason);
    const onEnd = () => onError(answer.length > 0 && undecided ? new CheckFailed(undecided) : closed());
    const onData = (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk]);
      const verdict = judge?.(answer) ?? "ok";
      if (verdict === "ok" || verdict === "done")
        return settle(() => resolve({ bytes: answer, isLast: verdict === "done" }));
      if (verdict !== "more") return onError(new CheckFailed(verdict));
      if (answer.length >= MAX_ANSWER) onEnd();
    };
    socket.on("error", onError).on("close", onEnd);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) return onAbort();
    if (socket.destroyed) return onEnd();
    if (judge) socket.on("end", onEnd).on("data", onData).resume();
    const written = (error?: Error | null) => {
      if (error) onError(error);
      else if (!judge) settle(() => resolve({ bytes: answer, isLast: false }));
    };
    if (send) socket.write(send, written);
    else written();
  });

/** Takes steps until one of them is the last, and returns the answer to that. */
export const takeSteps = async (socket: Socket, steps: Step[], signal: AbortSignal): Promise<Buffer> => {
  let bytes: Buffer = Buffer.alloc(0);
  const left = [...steps];
  for (let step = left.shift(); step; step = left.shift()) {
    const answer = await takeStep(socket, step, signal, bytes.length > 0);
    bytes = answer.bytes;
    if (answer.isLast) break;
    const next = await step.next?.(bytes);
    if (next) left.unshift(next);
  }
  return bytes;
};

/** Ends a connection with a last message, without waiting for an answer to it. It is closed at the signal at the latest. */
export const endConnection = (socket: Socket, signal: AbortSignal, farewell?: Uint8Array | string): void => {
  const close = (): void => {
    signal.removeEventListener("abort", close);
    socket.destroy();
  };
  socket.on("error", () => {});
  if (!farewell || signal.aborted) {
    close();
    return;
  }
  signal.addEventListener("abort", close, { once: true });
  socket.once("finish", close).once("close", close).end(farewell);
};
