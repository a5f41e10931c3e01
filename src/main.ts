import { compiled } from "./build-info";
import { ignoreProxies, restartWith } from "./commands/restart";

ignoreProxies(process.argv.slice(2), process.env);
restartWith(process.argv.slice(2), compiled ? [] : [import.meta.path], process.env);

/** Each command is a file with `run` and `help`, loaded only when it is used. */
const commands = {
  serve: () => import("./commands/serve"),
  agent: () => import("./commands/agent"),
  user: () => import("./commands/user"),
  backup: () => import("./commands/backup"),
  restore: () => import("./commands/restore"),
  "migrate-data": () => import("./commands/migrate-data"),
  healthcheck: () => import("./commands/healthcheck"),
  version: () => import("./commands/version"),
};

const overview = `Wakeful monitors web services and servers.

usage: wakeful [command]

  serve                         run the console (the default)
  agent start                   report this machine to a console; also: agent status
  user reset-password NAME      set a new password for a user
  backup FILE                   copy the SQLite database to FILE, also while the console runs
  restore FILE                  replace the SQLite database by a backup
  migrate-data --from --to      move everything between SQLite and PostgreSQL
  healthcheck                   check the health of the running console
  version                       print the version

Run wakeful COMMAND --help for details.
`;

const main = async ([name = "serve", ...rest]: string[]): Promise<void> => {
  if (["--help", "-h", "help"].includes(name)) return void process.stdout.write(overview);
  const load = commands[(["--version", "-v"].includes(name) ? "version" : name) as keyof typeof commands];
  if (!load) throw new Error(`There is no command "${name}". wakeful --help lists them.`);
  const command = await load();
  if (rest.some((word) => word === "--help" || word === "-h")) return void process.stdout.write(command.help);
  await command.run(rest);
};

await main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`wakeful: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
