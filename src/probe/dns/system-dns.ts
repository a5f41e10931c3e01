import dns, { promises } from "node:dns";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { SECOND } from "../../shared/limits";
import { descriptorCondition } from "../local-failure";
import type { Answer, SystemDns } from "./resolver";

const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
/** Time between checks of the hosts file for changes (ms). */
const HOSTS_REFRESH = SECOND;

/**
 * These names are loopback, also if the hosts file has other addresses. @see
 * https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
const LOCALHOST = /^(.+\.)?localhost$/;
const LOOPBACK = ["127.0.0.1", "::1"];

/** The addresses of each name in a hosts file, in the file's order. @see https://man7.org/linux/man-pages/man5/hosts.5.html */
export const parseHosts = (text: string): Map<string, string[]> => {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().split(/\s+/);
    if (!isIP(address)) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const addresses = hosts.get(key);
      if (!addresses) hosts.set(key, [address]);
      else if (!addresses.includes(address)) addresses.push(address);
    }
  }
  return hosts;
};

/**
 * Looks up names in this machine's hosts file, which is read again when it changes. c-ares reads the file too, but
 * returns all addresses of lines that have any name in common.
 */
export const createHostsFile = (file = HOSTS_FILE, now: () => number = () => performance.now()) => {
  let hosts = new Map<string, string[]>();
  let version = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (name: string): string[] => {
    if (now() - lookedAt >= HOSTS_REFRESH) {
      lookedAt = now();
      const { mtimeMs = 0, size = 0, ino = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      const fingerprint = `${mtimeMs} ${size} ${ino}`;
      try {
        if (fingerprint !== version) hosts = size === 0 ? new Map() : parseHosts(readFileSync(file, "utf8"));
        version = fingerprint;
      } catch {
        // A file that can't be opened now is read at the next check; until then its previous content is used.
      }
    }
    const key = name.replace(/\.$/, "");
    return hosts.get(key) ?? (LOCALHOST.test(key) ? LOOPBACK : []);
  };
};

const RESOLV_CONF = "/etc/resolv.conf";
/** Time between checks of the system's settings for changes (ms). */
const SETTINGS_REFRESH = 5 * SECOND;
const ANSWERS = /^(ENOTFOUND|ENODATA|DNS_ENOTFOUND|DNS_ENODATA)$/;

const changedAt = (): number => {
  try {
    return statSync(RESOLV_CONF).mtimeMs;
  } catch {
    return 0;
  }
};

/** The backends: c-ares uses one socket for any number of names, the C library a thread for each. */
const lookupBy = (backend: "c-ares" | "libc") => async (name: string) =>
  (await Bun.dns.lookup(name, { backend })) as Answer[];

/** Whether a name exists without an address, which c-ares' lookup reports like a name that does not exist. */
const isWithoutAddress = async (name: string, error: unknown): Promise<boolean> => {
  if (!name.includes(".") || !/ENOTFOUND/.test(String((error as { code?: unknown }).code))) return false;
  const resolver = new promises.Resolver({ timeout: SECOND, tries: 1 });
  return resolver.resolve4(name).then(
    () => false,
    ({ code }) => /ENODATA/.test(String(code)),
  );
};

/** The addresses of this machine's name servers as they are now, with a port unless it is 53. */
export const systemNameServers = (): string[] => new promises.Resolver().getServers();

/** Name resolution by c-ares, with this machine's own settings. @see https://bun.com/docs/runtime/networking/dns */
export const createSystemDns = (): SystemDns => {
  const lookupInDns = lookupBy("c-ares");
  const hostsOf = createHostsFile();
  let lastChange = changedAt();
  let lookedAt = performance.now();

  /** c-ares reads the name servers only once, but a machine's may change. */
  const followSettings = () => {
    if (performance.now() - lookedAt < SETTINGS_REFRESH) return;
    lookedAt = performance.now();
    const changed = changedAt();
    if (changed === lastChange) return;
    lastChange = changed;
    const servers = systemNameServers();
    if (servers.length > 0) dns.setServers(servers);
  };

  return {
    lookup: async (name) => {
      const listed = hostsOf(name);
      if (listed.length > 0) return listed.map((address) => ({ address, ttl: 0 }));
      followSettings();
      return lookupInDns(name).catch(async (error) => {
        throw (await isWithoutAddress(name, error)) ? Object.assign(new Error("ENODATA"), { code: "ENODATA" }) : error;
      });
    },
    lookupByLibc: lookupBy("libc"),
    // Nearly every name server answers for the root zone, usually from its cache; one of an isolated network may not.
    isAnswering: async (known) => {
      const resolver = new promises.Resolver({ timeout: SECOND, tries: 2 });
      const queries = [resolver.resolveNs("."), ...known.map((name) => resolver.resolve4(name))];
      const answers = queries.map(async (query) => {
        const code = await query.then(
          () => null,
          (error) => String(error.code),
        );
        if (code !== null && !ANSWERS.test(code)) throw new Error(code);
      });
      return Promise.any(answers).then(
        () => true,
        () => false,
      );
    },
    shortage: descriptorCondition,
  };
};
