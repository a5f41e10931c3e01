import { compiled } from "./embedded";

// Bun makes at most 256 requests at once unless the environment says otherwise before the process starts, and targets
// that hang would hold up healthy ones: https://bun.com/docs/runtime/networking/fetch#simultaneous-connection-limit
const REQUESTS_AT_ONCE = "32768";
const serving = [undefined, "serve"].includes(process.argv[2]);
if (serving && process.env.BUN_CONFIG_MAX_HTTP_REQUESTS === undefined && process.platform !== "win32") {
  const script = compiled ? [] : [import.meta.path];
  process.execve?.(process.execPath, [process.execPath, ...script, ...process.argv.slice(2)], {
    ...process.env,
    BUN_CONFIG_MAX_HTTP_REQUESTS: REQUESTS_AT_ONCE,
  } as Record<string, string>);
}

/** Each command is a file with `run` and `help`, loaded only when it is asked for. */
const commands = {
  serve: () => import("./commands/serve"),
  user: () => import("./commands/user"),
  backup: () => import("./commands/backup"),
  healthcheck: () => import("./commands/healthcheck"),
  version: () => import("./commands/version"),
};

const overview = `Wakeful watches web addresses and servers.

usage: wakeful [command]

  serve                         run the console (what happens without a command)
  user reset-password NAME      set a new password for a user
  backup FILE                   copy the SQLite database to FILE, also while the console runs
  healthcheck                   ask the running console whether it is well
  version                       print the version

wakeful COMMAND --help tells more about each.
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
