import { readOptions } from "../agent/options";
import { createLogger, write } from "../agent/output";
import { openPlatform } from "../agent/platform/platform";
import { start } from "../agent/start";
import { EX_CONFIG, FatalError } from "../agent/state";
import { statusOf } from "../agent/status";
import { systemTime } from "../agent/time";
import { version } from "../build-info";

export const help = `usage: wakeful agent start|status|version [options]

Measures this machine (processor, memory, disks, network) and reports it to a console. It only reads and sends: nothing
that a console answers is ever run.

  start                    enroll, if that was not done before, then report until stopped
  status                   show the state of the agent on this machine; exits 0 if it reports, 1 if not
  version                  print the version

  --server URL             the console's address                         WAKEFUL_SERVER
  --token-file FILE        a file that holds a token from the console,   WAKEFUL_TOKEN_FILE
                           for the first start; - is standard input
  --token TOKEN            the token itself, which all users of the      WAKEFUL_TOKEN
                           machine can see in the list of processes
  --interval SECONDS       between two samples, 60 by default            WAKEFUL_INTERVAL
  --name NAME              what the console calls it at first            WAKEFUL_NAME
  --state DIR              where its key and waiting samples are kept    WAKEFUL_STATE
  --interfaces GLOBS       network interfaces to count, as in eth*,!eth1 WAKEFUL_INTERFACES
  --network-filesystems    count NFS, SMB and the like as disks, too     WAKEFUL_NETWORK_FILESYSTEMS

Each option may come from the environment instead, under the name beside it. It exits 0 when it is asked to stop, and
${EX_CONFIG} when a restart cannot help: a wrong option, a first token that is refused, or a server that was deleted in the console.
`;

const startHere = async (words: string[]): Promise<void> => {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  const options = readOptions(words, process.env);
  const platform = await openPlatform(options.selection);
  const log = createLogger(process.env.JOURNAL_STREAM === undefined);
  await start(options, { platform, time: systemTime, log, stop: stop.signal });
};

const act = async ([action, ...words]: string[]): Promise<number> => {
  if (action === "start") {
    await startHere(words);
    return 0;
  }
  if (action === "status") {
    const { well, lines } = statusOf(readOptions(words, process.env).state);
    write(`${lines.join("\n")}\n`);
    return well ? 0 : 1;
  }
  if (action === "version") {
    write(`${version}\n`);
    return 0;
  }
  throw new FatalError("usage: wakeful agent start|status|version (--help explains them)");
};

export const run = async (words: string[]): Promise<void> => {
  try {
    process.exit(await act(words));
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    process.stderr.write(`wakeful agent: ${error.message}\n`);
    process.exit(EX_CONFIG);
  }
};
