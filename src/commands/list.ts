type Described = {
  name: string;
  /** What follows the name in the overview. */
  form?: string;
  about: string;
  /** The words and options that may follow, besides `--help`. */
  words?: readonly string[];
};

const LIST = [
  { name: "serve", about: "run the hub (the default); --check: only check its settings", words: ["--check"] },
  {
    name: "agent",
    form: "start",
    about: "report this machine to a hub; also: agent status, agent update",
    words: [
      ...["start", "status", "update", "version"],
      ...["--server", "--token-file", "--token", "--interval", "--name", "--state", "--interfaces"],
      ...["--network-filesystems", "--containers", "--without", "--releases", "--check"],
    ],
  },
  {
    name: "run",
    form: "TOKEN -- COMMAND",
    about: "run a command, and report how it ended to a heartbeat",
    words: ["--token-file", "--server", "--no-output"],
  },
  {
    name: "maintenance",
    form: "start|end",
    about: "start a maintenance window, for example around a deployment",
    words: [
      ...["start", "end", "--minutes", "--tag", "--monitor", "--agent", "--all", "--title"],
      ...["--server", "--key-file"],
    ],
  },
  {
    name: "import",
    form: "[SOURCE] FILE",
    about: "import the monitors of another product into a hub",
    words: [
      ...["--url", "--token-file", "--ping-key-file", "--save", "--server", "--key-file"],
      ...["--dry-run", "--skip", "--paused", "--no-history", "--commands", "--json"],
    ],
  },
  {
    name: "user",
    form: "reset-password NAME",
    about: "set a new password for a user; reset-2fa: remove their second factors",
    words: ["reset-password", "reset-2fa"],
  },
  {
    name: "update",
    about: "replace this program by a newer, signed release; --check: only look for one",
    words: ["--check", "--from", "--downgrade", "--no-backup", "--wait"],
  },
  {
    name: "backup",
    form: "FILE",
    about: "copy the SQLite database to FILE, also while the hub runs",
    words: ["--force"],
  },
  { name: "restore", form: "FILE", about: "replace the SQLite database by a backup" },
  {
    name: "migrate-data",
    form: "--from --to",
    about: "move everything between SQLite and PostgreSQL",
    words: ["--from", "--to"],
  },
  {
    name: "demo",
    about: "start a hub with made-up data on this machine, to look around",
    words: ["--port", "--language"],
  },
  { name: "healthcheck", about: "check the health of the running hub", words: ["--deep"] },
  {
    name: "completion",
    form: "bash|zsh|fish",
    about: "print a script that completes these commands in a shell",
    words: ["bash", "zsh", "fish"],
  },
  { name: "man", about: "print the manual page" },
  { name: "version", about: "print the version" },
] as const satisfies readonly Described[];

export type CommandName = (typeof LIST)[number]["name"];

/** The commands in the order of the overview. Shell completion uses this list too. */
export const COMMANDS: readonly (Described & { name: CommandName })[] = LIST;

const lines = COMMANDS.map(({ name, form, about }) =>
  `  ${[name, form].filter(Boolean).join(" ")}`.padEnd(32).concat(about),
);

/** The text of `wakeful --help`. */
export const overview = `Wakeful monitors web services and servers.

usage: wakeful [command]

${lines.join("\n")}

Run wakeful COMMAND --help for details.
`;
