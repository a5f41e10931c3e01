import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";

const FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
/** Milliseconds after which the file is checked for changes. */
const LOOK_AGAIN = 1000;

/** These names mean this machine, whatever is in the file. @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
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
      const known = hosts.get(key);
      if (!known) hosts.set(key, [address]);
      else if (!known.includes(address)) known.push(address);
    }
  }
  return hosts;
};

/**
 * Looks up names in this machine's hosts file, which is read again when it changes. c-ares reads the file too, but
 * returns all addresses of lines that have any name in common.
 */
export const createHostsFile = (file = FILE, now: () => number = () => performance.now()) => {
  let hosts = new Map<string, string[]>();
  let version = "";
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (name: string): string[] => {
    if (now() - lookedAt >= LOOK_AGAIN) {
      lookedAt = now();
      const { mtimeMs = 0, size = 0, ino = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
      const found = `${mtimeMs} ${size} ${ino}`;
      try {
        if (found !== version) hosts = size === 0 ? new Map() : parseHosts(readFileSync(file, "utf8"));
        version = found;
      } catch {
        // A file that can't be opened now is read at the next check; until then its previous content is used.
      }
    }
    const key = name.replace(/\.$/, "");
    return hosts.get(key) ?? (LOCALHOST.test(key) ? LOOPBACK : []);
  };
};
