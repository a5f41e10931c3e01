/** Runs the system's `ping`, because a process without privileges can't send echo requests by itself. */
import { createLimiter } from "../../lib/concurrency";
import { systemClock } from "../../lib/time";
import { MINUTE, SECOND } from "../../shared/limits";
import { LocalFailure, localConditionOf } from "../local-failure";
import { type Dialect, dialectsOf, type Echo, type EchoResult, unreachableIn } from "./program";

/** Programs that run at a time. */
const MAX_CHILDREN = 64;
/** Milliseconds that a program may take beyond the answers, and after it was asked to end. */
const GRACE = SECOND;
/** Bytes of output that are read; a run prints a few hundred. */
const MAX_OUTPUT = 16_384;
/** Time until a missing program is looked up again (ms). */
const LOOK_AGAIN = MINUTE;

type Options = {
  /** The path of a program, or null. */
  find?: (name: string) => string | null;
  platform?: string;
  now?: () => number;
};

/** Folders of programs, which the PATH of a service may lack. */
const FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin";

const findProgram = (name: string): string | null => Bun.which(name) ?? Bun.which(name, { PATH: FOLDERS });

/** Reads a stream up to the limit, as far as it was written when `ended` resolves. */
const readOutput = async (stream: ReadableStream<Uint8Array>, ended: Promise<void>): Promise<string> => {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  void ended.then(() => reader.cancel().catch(() => {}));
  while (size < MAX_OUTPUT) {
    const { value } = await reader.read().catch(() => ({ value: undefined }));
    if (!value) break;
    chunks.push(value);
    size += value.length;
  }
  void reader.cancel().catch(() => {});
  return Buffer.concat(chunks).subarray(0, MAX_OUTPUT).toString();
};

/** The program is a group of its own, so that what it started ends with it. It may have ended already. */
const kill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {}
};

/** Runs a program to its end, or until its time is over. Its environment has nothing of this process. */
const run = async (command: string[], milliseconds: number): Promise<{ output: string; errors: string }> => {
  const child = Bun.spawn(command, {
    env: { LC_ALL: "C" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    detached: true,
    windowsHide: true,
  });
  const ended = Promise.withResolvers<void>();
  const outputs = Promise.all([readOutput(child.stdout, ended.promise), readOutput(child.stderr, ended.promise)]);
  const end = async (signal: NodeJS.Signals) => {
    kill(child.pid, signal);
    await Promise.race([Promise.all([outputs, child.exited]), systemClock.sleep(GRACE)]);
  };
  let over = false;
  const finished = Promise.all([outputs, child.exited]).then(() => {
    over = true;
  });
  await Promise.race([finished, systemClock.sleep(milliseconds)]);
  // Asked to end, it prints what it has received so far.
  if (!over) await end("SIGINT");
  if (!over) await end("SIGKILL");
  ended.resolve();
  const [output, errors] = await outputs;
  return { output, errors };
};

/** @throws {LocalFailure} when the program can't run, or prints anything else than a result */
const echo = async (dialect: Dialect, path: string, request: Echo): Promise<EchoResult> => {
  const longest = (request.count - 1) * dialect.interval + request.wait;
  try {
    const { output, errors } = await run([path, ...dialect.args(request)], longest * SECOND + GRACE);
    const result = dialect.parse(output, request);
    const unreachable = unreachableIn(`${output}\n${errors}`);
    if (result) return { ...result, ...(result.received === 0 && unreachable && { unreachable }) };
    if (unreachableIn(errors)) return { sent: request.count, received: 0, average: null, unreachable };
  } catch (error) {
    const condition = localConditionOf(error, request.address);
    if (condition) throw new LocalFailure(condition);
  }
  throw new LocalFailure("ping");
};

/** Sends echo requests by the system's program, at most 64 of them at a time. */
export const createPinger = ({
  find = findProgram,
  platform = process.platform,
  now = () => performance.now(),
}: Options = {}) => {
  const waiting: (() => void)[] = [];
  const limiter = createLimiter(MAX_CHILDREN, () => waiting.shift());
  let lookup: { dialect: Dialect | null; at: number } | undefined;
  let finding: Promise<Dialect | null> | undefined;

  /** Runs a program once it may start, and lets the next one start when it has ended. */
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    limiter.fill();
    await promise;
    try {
      return await work();
    } finally {
      limiter.leave();
    }
  };

  /** @throws {LocalFailure} when nothing can be run at all, which says nothing about the program */
  const works = async (dialect: Dialect): Promise<boolean> => {
    const address = "127.0.0.1";
    const path = find(dialect.program(address));
    if (path === null) return false;
    try {
      await limited(() => echo(dialect, path, { address, count: 1, wait: 1 }));
      return true;
    } catch (error) {
      if (error instanceof LocalFailure && error.condition !== "ping") throw error;
      return false;
    }
  };

  /** Tries what this system's program understands, once for all callers. */
  const findDialect = async (): Promise<Dialect | null> => {
    for (const dialect of dialectsOf(platform)) if (await works(dialect)) return dialect;
    return null;
  };

  const dialectNow = (): Promise<Dialect | null> => {
    if (lookup && (lookup.dialect || now() - lookup.at < LOOK_AGAIN)) return Promise.resolve(lookup.dialect);
    finding ??= findDialect()
      .then((dialect) => {
        lookup = { dialect, at: now() };
        return dialect;
      })
      .finally(() => {
        finding = undefined;
      });
    return finding;
  };

  return {
    /** Whether this machine has a program that can send echo requests, as far as is known. */
    isAvailable: async (): Promise<boolean> => {
      try {
        const dialect = await dialectNow();
        return dialect !== null && find(dialect.program("127.0.0.1")) !== null;
      } catch {
        return true;
      }
    },

    /**
     * Sends echo requests to an IP address.
     * @throws {LocalFailure} when the program is missing, does not work or can't be run; the next call tries again
     */
    echo: async (request: Echo): Promise<EchoResult> => {
      const dialect = await dialectNow();
      const path = dialect && find(dialect.program(request.address));
      if (!dialect || path === null) throw new LocalFailure("ping");
      try {
        return await limited(() => echo(dialect, path, request));
      } catch (error) {
        if (lookup?.dialect === dialect) lookup = undefined;
        throw error;
      }
    },
  };
};
