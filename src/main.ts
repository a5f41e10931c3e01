import { compiled, version } from "./build-info";
import { COMMANDS, type CommandName, overview } from "./commands/list";
import { ignoreProxies, restartWith } from "./commands/restart";

ignoreProxies(process.argv.slice(2), process.env);
restartWith(process.argv.slice(2), compiled ? [] : [import.meta.path], process.env);

type Command = { help: string; run: (words: string[]) => Promise<void> | void };

const versionCommand: Command = {
  help: "usage: wakeful version\n\nPrints the version.\n",
  run: () => void process.stdout.write(`${version}\n`),
};

/** Each command is a file with `run` and `help`, loaded only when it is used. The overview leaves out what only the hub runs. */
const commands: Record<CommandName | "read-import", () => Promise<Command>> = {
  serve: () => import("./commands/serve"),
  agent: () => import("./commands/agent"),
  run: () => import("./commands/run"),
  maintenance: () => import("./commands/maintenance/maintenance"),
  import: () => import("./commands/import/import"),
  "read-import": () => import("./commands/import/read-import"),
  user: () => import("./commands/user"),
  update: () => import("./commands/update"),
  backup: () => import("./commands/backup"),
  restore: () => import("./commands/restore"),
  "migrate-data": () => import("./commands/migrate-data"),
  demo: () => import("./commands/demo/command"),
  healthcheck: () => import("./commands/healthcheck"),
  completion: () => import("./commands/shell/completion"),
  man: async () => {
    const { help, manPage } = await import("./commands/shell/man");
    const run = async () => {
      const helps = await Promise.all(COMMANDS.map(async ({ name }) => [name, (await commands[name]()).help]));
      process.stdout.write(manPage(Object.fromEntries(helps)));
    };
    return { help, run };
  },
  version: async () => versionCommand,
};

const main = async ([word = "serve", ...rest]: string[]): Promise<void> => {
  if (["--help", "-h", "help"].includes(word)) return void process.stdout.write(overview);
  const name = ["--version", "-v"].includes(word) ? "version" : word;
  const isCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);
  if (!isCommand(name)) throw new Error(`There is no command "${name}". wakeful --help lists them.`);
  const command = await commands[name]();
  // What follows "--" are the words of another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.some((option) => option === "--help" || option === "-h")) return void process.stdout.write(command.help);
  if (["version", "man"].includes(name) && rest[0] !== undefined)
    throw new Error(`${name} takes no "${rest[0]}". wakeful ${name} --help lists its options.`);
  await command.run(rest);
};

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`wakeful: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
