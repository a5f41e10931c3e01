import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Report } from "../../modules/transfer/previews/report";
import { linuxInstallCommand } from "../../shared/agents/install-command";
import { ADDRESS_SOURCE, IMPORT_SOURCES, KEY_SOURCES } from "../../shared/transfer/sources";
import { call, firstLine, jsonOf, readKey, readServer } from "../api-client";
import { copyDatabase } from "./mariadb";

export const help = `usage: wakeful import [SOURCE] FILE [options]
       wakeful import kuma --url URL [options]
       wakeful import betterstack|healthchecks --token-file FILE [options]
       wakeful import statuspage --url URL [options]

Imports the monitors of another product into a hub, with their tags, status page and history. What was imported before
stays as it is, so the same file can be imported again. Channels need an API key with the scope channels, and the
commands of servers one with the scope enroll: without them, import the file once more on the page /import.

  SOURCE           the name of a source below; by the content when absent
  FILE             kuma: kuma.db of Uptime Kuma 1.23 or 2.x, where a FILE-wal
                   beside it is read, too, or a JSON backup of 1.x
                   xugou: its SQL export, or the SQLite file of a local one
                   beszel: the YAML file of its systems, or data.db
                   nezha: the sqlite.db of its dashboard
                   komari: komari.db
                   gatus: the YAML file of its configuration
                   healthchecks: its checks as JSON
                   uptimerobot: its monitors as JSON
                   betterstack: an answer of its API as JSON
                   statuspage: /api/v2/summary.json of a page
                   csv: a table with a column url
  --url URL        statuspage: the address of a public page, which the hub
                   reads; kuma: the database of an Uptime Kuma 2 on MariaDB or MySQL,
                   mysql://USER:PASSWORD@HOST/DATABASE?sslmode=verify-full,
                   which is only read; the password may be in              MYSQL_PASSWORD
  --save FILE      only copy what an import reads of that database to a
                   file, which the page /import takes, too
  --token-file FILE  a file with a token of the API of Better Stack or
                   healthchecks.io, which the hub reads with it and does
                   not store; - is standard input
  --ping-key-file FILE  a file with the ping key of the project at
                   healthchecks, so that its addresses with a slug go on
  --server URL     the hub's address                                       WAKEFUL_SERVER
  --key-file FILE  a file with an API key with the scope apply or write;
                   - is standard input                                     WAKEFUL_API_KEY
  --dry-run        only print what would become of each object
  --skip PATH      leave an object out, as the dry run names it; may be
                   repeated
  --paused         create every monitor paused
  --no-history     leave out the history
  --commands       after the report, print the command that installs the
                   agent on the machine of each imported server
  --json           print the report as JSON

Exits 0 when the import is done, also if some objects were not taken; otherwise 1 with the reason.
`;

const HINT = " (wakeful import --help shows how to use it)";

const readOptions = (words: string[], environment: NodeJS.ProcessEnv) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      url: { type: "string" },
      save: { type: "string" },
      "token-file": { type: "string" },
      "ping-key-file": { type: "string" },
      server: { type: "string" },
      "key-file": { type: "string" },
      "dry-run": { type: "boolean", default: false },
      skip: { type: "string", multiple: true, default: [] },
      paused: { type: "boolean", default: false },
      "no-history": { type: "boolean", default: false },
      commands: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const [first, second, ...more] = positionals;
  const isAddress = values.url !== undefined && first === ADDRESS_SOURCE;
  const isCopied = values.url !== undefined && !isAddress;
  const isFile = values.url === undefined && values["token-file"] === undefined;
  const [source, file] = second === undefined && isFile ? [undefined, first] : [first, second];
  if (source !== undefined && !Object.hasOwn(IMPORT_SOURCES, source))
    throw new Error(`there is no source "${source}"${HINT}`);
  if (values.url !== undefined && ((isCopied && source !== "kuma") || file !== undefined))
    throw new Error(`--url is for kuma and statuspage, without a file${HINT}`);
  if (isCopied && !/^(mysql|mariadb):\/\//.test(values.url ?? ""))
    throw new Error(`--url has to begin with mysql:// or mariadb://${HINT}`);
  if (
    values["token-file"] !== undefined &&
    (values.url !== undefined || file !== undefined || !KEY_SOURCES.some((one) => one === source))
  )
    throw new Error(`--token-file is for ${KEY_SOURCES.join(", ")}, without a file${HINT}`);
  if (isFile && (!file || more.length > 0)) throw new Error(`say which file to import${HINT}`);
  if (file !== undefined && !existsSync(file)) throw new Error(`there is no file ${file}`);
  if (values.save !== undefined) {
    if (!isCopied) throw new Error(`--save needs --url${HINT}`);
    if (existsSync(values.save)) throw new Error(`there is a file ${values.save} already`);
    return { ...values, file: "", source, server: "" };
  }
  return { ...values, file: file ?? "", source, server: readServer(values.server, { environment, hint: HINT }) };
};

const OUTCOMES = {
  take: "as it is",
  change: "with differences",
  paused: "paused",
  skip: "not taken",
  exists: "already there",
};

const printReport = ({ counts, items }: Report): void => {
  for (const { path, name, kind, outcome, notes } of items) {
    const reasons = notes.map(({ message }) => message).join("; ");
    process.stdout.write(
      `${OUTCOMES[outcome].padEnd(17)} ${path.padEnd(16)} ${name} (${kind})${reasons && `: ${reasons}`}\n`,
    );
  }
  const summary = Object.entries(OUTCOMES).map(
    ([outcome, words]) => `${counts[outcome as keyof typeof counts]} ${words}`,
  );
  process.stdout.write(`${summary.join(", ")}.\n`);
};

/** The checksum of a program of the hub; null if the hub does not have it. */
const readChecksum = async (server: string, path: string): Promise<string | null> => {
  const response = await fetch(`${server}/${path}.sha256`).catch(() => null);
  return response?.ok ? (/^[0-9a-f]{64}/.exec(await response.text())?.[0] ?? null) : null;
};

/** The checksums of the programs that the install script may choose; none if the first is unknown, because a list would exclude it. */
const readChecksums = async (server: string): Promise<string[]> => {
  const programs = ["downloads/wakeful-linux-amd64", "downloads/wakeful-linux-amd64-musl", "agent.sh"];
  const [first, ...others] = await Promise.all(programs.map((path) => readChecksum(server, path)));
  return first ? [first, ...others.filter((sum) => sum !== null)] : [];
};

/** Prints a script: the command of each server after its name. */
const printCommands = async ({ items }: Report, server: string): Promise<void> => {
  const options = { sums: await readChecksums(server), autoUpdate: false };
  for (const { name, enrollment } of items) {
    if (!enrollment) continue;
    const command = linuxInstallCommand({ server, token: enrollment.token, agent: "executable" }, options);
    // A name with a line break would be run as a command.
    process.stdout.write(`\n# ${name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")}\n${command}\n`);
  }
};

/** What the hub previews: a file, or a source that it reads with a token. */
const bodyOf = async ({ file, source, ...options }: ReturnType<typeof readOptions>): Promise<RequestInit> => {
  const path = options["token-file"];
  if (path !== undefined) return jsonOf({ source, key: await firstLine(path) });
  if (options.url !== undefined && file === "") return jsonOf({ source, url: options.url });
  const form = new FormData();
  form.set("file", Bun.file(file), basename(file));
  const log = `${file}-wal`;
  if (existsSync(log)) form.set("wal", Bun.file(log), basename(log));
  return { method: "POST", body: form };
};

const importFile = async (options: ReturnType<typeof readOptions>, key: string): Promise<void> => {
  const address = `${options.server}/api/import/preview`;
  const preview = await call<Report & { id: string }>(address, key, await bodyOf(options));
  if (options.source !== undefined && preview.source !== options.source)
    throw new Error(`${options.file} is no file of ${options.source}, but of ${preview.source}`);
  const pingKey = options["ping-key-file"];
  if (pingKey !== undefined && !options["dry-run"])
    await call(`${options.server}/api/ping-keys`, key, jsonOf({ key: await firstLine(pingKey) }));
  const report = options["dry-run"]
    ? preview
    : await call<Report>(
        `${address}/${preview.id}/apply`,
        key,
        jsonOf({ skip: options.skip, paused: options.paused, history: !options["no-history"] }),
      );
  if (options.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else printReport(report);
  if (options.commands && !options.json) await printCommands(report, options.server);
};

/** Imports a copy of a database, which is deleted afterwards. */
const importDatabase = async (url: string, options: ReturnType<typeof readOptions>, key: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-import-"));
  try {
    const file = join(folder, "kuma.db");
    await copyDatabase(url, file);
    await importFile({ ...options, file }, key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export const run = async (words: string[]): Promise<void> => {
  const options = readOptions(words, process.env);
  const { url, save } = options;
  if (url !== undefined && save !== undefined) return copyDatabase(url, save);
  const key = await readKey(options["key-file"], { environment: process.env, hint: HINT });
  const isCopied = url !== undefined && options.source !== ADDRESS_SOURCE;
  await (isCopied ? importDatabase(url, options, key) : importFile(options, key));
};
