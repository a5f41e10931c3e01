import { spawn } from "node:child_process";
import { closeSync, openSync, readSync } from "node:fs";
import { constants } from "node:os";
import { version } from "../build-info";

export const help = `usage: wakeful run [TOKEN] [options] -- COMMAND [ARGUMENT...]

Runs a command, for example a backup, and reports to a heartbeat that it started, how it ended, and the last of what it
printed. Its input, output and signals are passed on, and it is never kept from running: the exit status is always that of
the command, also when the hub can't be reached.

  TOKEN              the last part of the ping address that the hub
                     shows, or the whole address. All users of the machine
                     can see it in the list of processes                   WAKEFUL_PING_TOKEN
  --token-file FILE  a file whose first line is the token; - is standard
                     input, whose other lines are the command's
  --server URL       the hub's address                                     WAKEFUL_SERVER
  --no-output        leave what the command prints on this machine

Exits 127 when the command is not found, 126 when it can't be run, and 128 plus the signal's number when a signal ends it.
`;

/** Bytes of a line with a token or an address. */
const LONGEST_TOKEN = 4096;
const NEWLINE = 10;

type Environment = Record<string, string | undefined>;
type Run = { ping: string; command: string; words: string[]; sendsOutput: boolean };

const HINT = " (wakeful run --help shows how to use it)";

/** The ping address of a token at a hub, without a slash at its end. */
const pingAddress = (token: string, server: string | undefined): string => {
  const isAddress = /^https?:\/\//i.test(token);
  if (!isAddress && !/^[\w-]{1,64}$/.test(token)) throw new Error(`TOKEN is no token as the hub shows them${HINT}`);
  if (!isAddress && !server) throw new Error(`--server or WAKEFUL_SERVER has to name the hub${HINT}`);
  const url = URL.parse(isAddress ? token : (server ?? ""));
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new Error("--server is the hub's address and starts with http:// or https://");
  const path = url.pathname.replace(/\/+$/, "");
  return url.origin + (isAddress ? path : `${path}/ping/${token}`);
};

/** The first line of a file or of standard input; the rest of the input is not read. */
const readLine = (path: string): string => {
  const line: number[] = [];
  try {
    const file = path === "-" ? 0 : openSync(path, "r");
    const byte = Buffer.alloc(1);
    while (line.length < LONGEST_TOKEN && readSync(file, byte, 0, 1, null) > 0 && byte[0] !== NEWLINE)
      line.push(byte[0]!);
    if (file !== 0) closeSync(file);
  } catch (error) {
    throw new Error(`--token-file: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
  return Buffer.from(line).toString("utf8").trim();
};

/**
 * Reads the words before and after `--`.
 * @throws {Error} that names what is wrong, without repeating the token
 */
export const readRun = (words: readonly string[], environment: Environment): Run => {
  const end = words.indexOf("--");
  const [command, ...rest] = end < 0 ? [] : words.slice(end + 1);
  if (command === undefined) throw new Error(`the command to run stands after --${HINT}`);
  let token: string | undefined;
  let server = environment.WAKEFUL_SERVER;
  let file: string | undefined;
  let sendsOutput = true;
  const own = words.slice(0, end);
  const valueAfter = (word: string, name: string) => (word === name ? own.shift() : word.slice(name.length + 1));
  for (let word = own.shift(); word !== undefined; word = own.shift()) {
    if (word === "--no-output") sendsOutput = false;
    else if (/^--server(=|$)/.test(word)) server = valueAfter(word, "--server");
    else if (/^--token-file(=|$)/.test(word)) {
      file = valueAfter(word, "--token-file");
      if (!file) throw new Error(`--token-file needs a value${HINT}`);
    } else if (word.startsWith("--")) throw new Error(`there is no option "${word}"${HINT}`);
    else if (token === undefined) token = word;
    else throw new Error(`only one TOKEN may stand before --${HINT}`);
  }
  if (token !== undefined && file !== undefined) throw new Error(`TOKEN and --token-file exclude each other${HINT}`);
  token ??= file === undefined ? environment.WAKEFUL_PING_TOKEN || undefined : readLine(file);
  if (token === undefined) throw new Error(`TOKEN is missing${HINT}`);
  return { ping: pingAddress(token, server), command, words: rest, sendsOutput };
};

/** Bytes of output that a heartbeat keeps. */
const OUTPUT_LIMIT = 10_000;

/** The text of the last bytes, without a character that was cut. */
const lastText = (bytes: Buffer): string => {
  let start = Math.max(0, bytes.length - OUTPUT_LIMIT);
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return new TextDecoder().decode(bytes.subarray(start));
};

/** Keeps the end of its input. */
export const createTail = () => {
  let partialLine = Buffer.alloc(0);
  return {
    add: (chunk: Buffer): void => {
      // A few bytes more show where the first character begins.
      partialLine = Buffer.concat([partialLine, chunk]).subarray(-OUTPUT_LIMIT - 4);
    },
    /** Bytes that are not UTF-8 are replaced, which may make the text longer. */
    text: (): string => lastText(Buffer.from(lastText(partialLine))),
  };
};

const REQUEST_TIMEOUT = 10_000;
/** Milliseconds before each attempt to report the end. */
const ATTEMPTS = [0, 1000, 2000, 4000, 8000];

/** Why a ping was not received, and whether repeating it may help. */
type Failure = { reason: string; isFinal: boolean };

const sendPing = async (url: string, body: string): Promise<Failure | undefined> => {
  try {
    const { status } = await fetch(url, {
      method: "POST",
      body,
      headers: { "user-agent": `wakeful/${version}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    if (status < 400) return undefined;
    if (status === 404) return { reason: "the hub does not know the token", isFinal: true };
    return { reason: `the hub answered ${status}`, isFinal: false };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), isFinal: false };
  }
};

/** Reports the end of a run, several times if necessary. */
const reportEnd = async (url: string, body: string): Promise<void> => {
  let failure: Failure | undefined;
  for (const wait of ATTEMPTS) {
    await Bun.sleep(wait);
    failure = await sendPing(url, body);
    if (!failure) return;
    if (failure.isFinal) break;
  }
  process.stderr.write(`wakeful: the run was not reported: ${failure?.reason}\n`);
};

/** How long output is awaited after the command ended: a process that it left behind may hold it open. */
const OUTPUT_WAIT = 2000;

const PASSED_ON = ["SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2"] as const;
/** A terminal sends these to the command itself. */
const BY_TERMINAL: readonly string[] = ["SIGINT", "SIGQUIT"];

const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;
const BY_SIGNAL = 128;

/** Runs the command with the input, output and signals of this process. Returns its exit status. */
export const runCommand = (
  { command, words, sendsOutput }: Omit<Run, "ping">,
  tail: ReturnType<typeof createTail>,
): Promise<number> =>
  new Promise((resolve) => {
    const { WAKEFUL_PING_TOKEN: _, ...env } = process.env;
    const child = spawn(command, words, {
      env,
      stdio: sendsOutput ? ["inherit", "pipe", "pipe"] : "inherit",
    });
    for (const [source, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ] as const) {
      source?.on("data", tail.add);
      source?.pipe(target, { end: false });
      // The reader of the output has left: the command notices that as it would without this process.
      target.on("error", () => source?.destroy());
    }
    const pass = (signal: NodeJS.Signals) => {
      if (!(process.stdin.isTTY && BY_TERMINAL.includes(signal))) child.kill(signal);
    };
    for (const signal of process.platform === "win32" ? (["SIGINT", "SIGTERM"] as const) : PASSED_ON)
      process.on(signal, pass);
    let status = 0;
    const finish = () => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      for (const signal of PASSED_ON) process.off(signal, pass);
      resolve(status);
    };
    child.on("error", (error: NodeJS.ErrnoException) => {
      status = error.code === "ENOENT" ? NOT_FOUND : NOT_RUNNABLE;
      const text = `wakeful: ${command} ${status === NOT_FOUND ? "was not found" : `can't be run (${error.code})`}\n`;
      process.stderr.write(text);
      tail.add(Buffer.from(text));
      finish();
    });
    child.on("exit", (code, signal) => {
      status = code ?? BY_SIGNAL + (signal ? constants.signals[signal] : 0);
      setTimeout(finish, OUTPUT_WAIT).unref();
    });
    child.on("close", finish);
  });

/** Runs a command and reports its start and its end to a heartbeat. */
export const run = async (words: string[]): Promise<void> => {
  const job = readRun(words, process.env);
  const id = `?rid=${crypto.randomUUID()}`;
  const tail = createTail();
  // The command does not wait for the hub.
  const started = sendPing(`${job.ping}/start${id}`, "");
  const status = await runCommand(job, tail);
  // The start has to be received before the end.
  await started;
  await reportEnd(`${job.ping}/${status}${id}`, tail.text());
  process.exitCode = status;
};
