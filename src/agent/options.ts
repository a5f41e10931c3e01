import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { REPORT_LIMITS } from "../shared/agents/report";
import { FIGURE_NAMES } from "./figures/registry";
import type { Selection } from "./platform/platform";
import { FatalError } from "./state";

type Environment = Record<string, string | undefined>;

export type Options = {
  /** The hub's URL with a trailing slash; null when it is known from an earlier start. */
  server: string | null;
  token: string | null;
  name: string | null;
  /** Seconds. */
  interval: number;
  state: string;
  selection: Selection;
  /** Sockets or origins of container engines; the first existing one is read. Empty if containers are not reported. */
  engines: string[];
  /** Names of figures that are not read. */
  without: string[];
};

const DEFAULT_INTERVAL = 60;

/** The environment variable of each option. */
const VARIABLES = {
  server: "WAKEFUL_SERVER",
  token: "WAKEFUL_TOKEN",
  "token-file": "WAKEFUL_TOKEN_FILE",
  interval: "WAKEFUL_INTERVAL",
  state: "WAKEFUL_STATE",
  name: "WAKEFUL_NAME",
  interfaces: "WAKEFUL_INTERFACES",
  "network-filesystems": "WAKEFUL_NETWORK_FILESYSTEMS",
  containers: "WAKEFUL_CONTAINERS",
  without: "WAKEFUL_WITHOUT",
} as const;
type Name = keyof typeof VARIABLES;
/** The options that need no value. */
const FLAGS: Name[] = ["network-filesystems", "containers"];

/** Where Docker and Podman listen as root. */
const ENGINES = ["/var/run/docker.sock", "/run/podman/podman.sock"];

const parseServer = (text: string, name: string): string => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new FatalError(`${name} is the hub's address and starts with http:// or https://`);
  if (url.username || url.password) throw new FatalError(`${name} may hold no user and password`);
  return `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
};

const parseInterval = (text: string, name: string): number => {
  const { intervalMin, intervalMax } = REPORT_LIMITS;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds >= intervalMin && seconds <= intervalMax))
    throw new FatalError(`${name} is a number of seconds from ${intervalMin} to ${intervalMax}, not "${text}"`);
  return seconds;
};

const parseToken = (text: string, name: string): string => {
  const token = text.trim();
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) throw new FatalError(`${name} holds no token as the hub shows them`);
  return token;
};

/** Reads a token from a file, or from standard input for `-`. */
const readTokenFile = (path: string, name: string): string => {
  let text: string;
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw new FatalError(`${name}: cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? "unknown error"})`);
  }
  return parseToken(text, path === "-" ? "standard input" : path);
};

const parseFlag = (text: string, name: string): boolean => {
  if (["1", "true", "yes", "on"].includes(text.toLowerCase())) return true;
  if (["0", "false", "no", "off", ""].includes(text.toLowerCase())) return false;
  throw new FatalError(`${name} is 1 or 0, not "${text}"`);
};

/** Parses `--containers`: on, off, the path of a socket, or the address of a proxy in front of one. */
const parseEngines = (text: string, name: string): string[] => {
  if (text.startsWith("/")) return [text];
  if (/^(tcp|http):\/\//.test(text)) {
    const url = text.replace(/^tcp:/, "http:");
    if (URL.canParse(url)) return [new URL(url).origin];
  }
  if (/[/:]/.test(text))
    throw new FatalError(
      `${name} is the path of a socket as in ${ENGINES[0]}, or an address as in tcp://127.0.0.1:2375`,
    );
  return parseFlag(text, name) ? ENGINES : [];
};

const splitList = (text: string): string[] => text.split(",").flatMap((part) => part.trim() || []);

const parseWithout = (text: string, name: string): string[] => {
  const names = splitList(text);
  const unknown = names.find((figure) => !FIGURE_NAMES.includes(figure));
  if (unknown !== undefined)
    throw new FatalError(`${name} names no figure "${unknown}"; there are ${FIGURE_NAMES.join(", ")}`);
  return names;
};

/** The default directory of the key and the queued samples. */
export const defaultState = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
  user: number | undefined = process.getuid?.(),
  home: string = homedir(),
): string => {
  const folder = environment.STATE_DIRECTORY?.split(":")[0];
  if (folder) return folder;
  if (platform === "win32") return join(environment.PROGRAMDATA ?? "C:\\ProgramData", "wakeful-agent");
  if (platform === "darwin")
    return user === 0 ? "/var/db/wakeful-agent" : join(home, "Library/Application Support/wakeful-agent");
  if (user === 0) return "/var/lib/wakeful-agent";
  return join(environment.XDG_STATE_HOME || join(home, ".local/state"), "wakeful-agent");
};

// Not node:util's parseArgs, which holds half a megabyte of memory for as long as the agent runs.
const parseWords = (words: string[]): Map<Name, string> => {
  const values = new Map<Name, string>();
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    const equals = word.indexOf("=");
    const [option, inline] = equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
    const name = option.slice(2) as Name;
    if (!option.startsWith("--") || !Object.hasOwn(VARIABLES, name))
      throw new FatalError(`there is no option "${option}" (--help lists them)`);
    if (FLAGS.includes(name)) {
      values.set(name, inline ?? "1");
      continue;
    }
    const value = inline ?? words[++index];
    if (value === undefined || (inline === undefined && value.startsWith("--")))
      throw new FatalError(`${option} needs a value`);
    values.set(name, value);
  }
  return values;
};

/**
 * Reads the command line, then the environment.
 * @throws {FatalError} naming the wrong option, without repeating a token
 */
export const readOptions = (words: string[], environment: Environment): Options => {
  const values = parseWords(words);
  /** Parses the command-line value or the environment variable, under the name used in error messages. */
  const find = <T>(name: Name, parse: (value: string, called: string) => T): T | null => {
    const [word, variable] = [values.get(name), environment[VARIABLES[name]]];
    if (word !== undefined) return parse(word, `--${name}`);
    return variable ? parse(variable, VARIABLES[name]) : null;
  };
  const asIs = (value: string) => value;
  // A file named on the command line takes precedence over a token in the environment.
  const token = values.has("token-file") && !values.has("token") ? null : find("token", parseToken);
  return {
    server: find("server", parseServer),
    token: token ?? find("token-file", readTokenFile),
    name: find("name", asIs)?.trim().slice(0, REPORT_LIMITS.text) || null,
    interval: find("interval", parseInterval) ?? DEFAULT_INTERVAL,
    state: resolve(find("state", asIs) ?? defaultState(environment)),
    selection: {
      interfaces: splitList(find("interfaces", asIs) ?? ""),
      networkFilesystems: find("network-filesystems", parseFlag) ?? false,
    },
    engines: find("containers", parseEngines) ?? [],
    without: find("without", parseWithout) ?? [],
  };
};
