import { parseArgs } from "node:util";
import { call, jsonOf, readKey, readServer } from "../api-client";
import { createTail, runCommand } from "../run";

export const help = `usage: wakeful maintenance start --minutes N [options] [-- COMMAND [ARGUMENT...]]
       wakeful maintenance end ID [options]

Starts a maintenance window, in which outages alert no one, for example around a deployment. With a COMMAND, the window ends
when the command does, and the exit status is that of the command; without one, the window's id is printed.

  --minutes N        how many minutes it lasts at most, up to 1440
  --tag TAG          what it is about: everything with this tag, NAME or
                     NAME:VALUE; may be repeated, as the next two
  --monitor ID       a monitor
  --agent ID         a server
  --all              everything of the team
  --title TEXT       its title
  --server URL       the hub's address                                     WAKEFUL_SERVER
  --key-file FILE    a file with an API key with the scope write;
                     - is standard input                                   WAKEFUL_API_KEY

The command is not run when the window can't be started. A window that can't be ended, because the hub can't be reached,
ends by itself after its minutes. Exits 1 with the reason when there is no command to exit with.
`;

const HINT = " (wakeful maintenance --help shows how to use it)";

const readOptions = (words: string[]) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      minutes: { type: "string" },
      tag: { type: "string", multiple: true, default: [] },
      monitor: { type: "string", multiple: true, default: [] },
      agent: { type: "string", multiple: true, default: [] },
      all: { type: "boolean", default: false },
      title: { type: "string" },
      server: { type: "string" },
      "key-file": { type: "string" },
    },
  });
  return { ...values, positionals };
};

const numberOf = (name: string, value: string | undefined): number => {
  if (value === undefined || !/^[1-9]\d{0,14}$/.test(value)) throw new Error(`${name} has to be a number${HINT}`);
  return Number(value);
};

/** Starts a window. Returns its id. @throws {Error} */
const start = async (options: ReturnType<typeof readOptions>, calls: { address: string; key: string }) => {
  const { minutes, tag, monitor, agent, all, title } = options;
  const body = {
    minutes: numberOf("--minutes", minutes),
    ...{ all, tags: tag, title },
    monitors: monitor.map((id) => numberOf("--monitor", id)),
    agents: agent.map((id) => numberOf("--agent", id)),
  };
  const { id } = await call<{ id: number }>(`${calls.address}/start`, calls.key, jsonOf(body));
  return id;
};

const end = (id: number, { address, key }: { address: string; key: string }) =>
  call<{ ended: boolean }>(`${address}/${id}/end`, key, { method: "POST" });

export const run = async (words: string[]): Promise<void> => {
  const separator = words.indexOf("--");
  const [command, ...rest] = separator < 0 ? [] : words.slice(separator + 1);
  const options = readOptions(separator < 0 ? words : words.slice(0, separator));
  const [action, id, ...more] = options.positionals;
  const isKnown = (action === "start" && id === undefined) || (action === "end" && separator < 0);
  if (!isKnown || more.length > 0) throw new Error(`say start, or end and the id of a window${HINT}`);
  if (separator >= 0 && command === undefined) throw new Error(`the command to run stands after --${HINT}`);
  const given = { environment: process.env, hint: HINT };
  const address = `${readServer(options.server, given)}/api/windows`;
  const calls = { address, key: await readKey(options["key-file"], given) };
  if (action === "end") {
    const { ended } = await end(numberOf("ID", id), calls);
    process.stdout.write(ended ? "The maintenance has ended.\n" : "It was not running.\n");
    return;
  }
  const started = await start(options, calls);
  if (command === undefined) {
    process.stdout.write(`${started}\n`);
    return;
  }
  const status = await runCommand({ command, words: rest, sendsOutput: false }, createTail());
  await end(started, calls).catch((error: Error) =>
    process.stderr.write(`wakeful: the maintenance ends after its minutes: ${error.message}\n`),
  );
  process.exitCode = status;
};
