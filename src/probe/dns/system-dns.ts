import dns, { promises } from "node:dns";
import { statSync } from "node:fs";
import { SECOND } from "../../shared/limits";
import { descriptorCondition } from "../local-failure";
import { createHostsFile } from "./hosts-file";
import type { Answer, SystemDns } from "./resolver";

const RESOLV_CONF = "/etc/resolv.conf";
/** How often the settings of the system are read, in milliseconds. */
const LOOK_AGAIN = 5 * SECOND;
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

/** Name resolution by c-ares, with this machine's own settings. @see https://bun.com/docs/runtime/networking/dns */
export const createSystemDns = (): SystemDns => {
  const ask = lookupBy("c-ares");
  const hostsOf = createHostsFile();
  let known = changedAt();
  let lookedAt = performance.now();

  /** c-ares reads the name servers only once, although those of a machine may change. */
  const followSettings = () => {
    if (performance.now() - lookedAt < LOOK_AGAIN) return;
    lookedAt = performance.now();
    const changed = changedAt();
    if (changed === known) return;
    known = changed;
    const servers = new promises.Resolver().getServers();
    if (servers.length > 0) dns.setServers(servers);
  };

  return {
    lookup: async (name) => {
      const listed = hostsOf(name);
      if (listed.length > 0) return listed.map((address) => ({ address, ttl: 0 }));
      followSettings();
      return ask(name);
    },
    lookupByLibc: lookupBy("libc"),
    // Every name server answers for the root zone, usually from its cache.
    isAnswering: async () => {
      const resolver = new promises.Resolver({ timeout: SECOND, tries: 2 });
      return resolver.resolveNs(".").then(
        () => true,
        ({ code }) => ANSWERS.test(String(code)),
      );
    },
    shortage: descriptorCondition,
  };
};
