/**
 * Which names only the network of this machine knows. A user who may check public addresses only must not learn from this
 * machine's name servers which of them exist, or what their records are.
 */
import { randomInt } from "node:crypto";
import { AddressBlocked } from "../address-errors";
import { LookupFailed } from "../dns/resolver";
import type { Caller, Outbound } from "../outbound";
import { type Answer, type Query, recordsOf } from "./message";

const [NO_ERROR, NO_NAME] = [0, 3];

/** Domains that the public DNS does not have, or that networks use for themselves. */
const INTERNAL = ["local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home", "lan"];

/** An address in the network whose reverse name this is, which may be shortened; null for other names. */
const addressOfReverse = (name: string): string | null => {
  const [, labels = "", zone] = /^(.*)\.(in-addr|ip6)\.arpa$/.exec(name) ?? [];
  if (zone === undefined) return null;
  const parts = labels.split(".").reverse();
  if (zone === "in-addr") return [...parts, "0", "0", "0"].slice(0, 4).join(".");
  return parts
    .join("")
    .padEnd(32, "0")
    .slice(0, 32)
    .replace(/(.{4})(?=.)/g, "$1:");
};

/** Whether a name belongs to the network of this machine by its form, so that no name server has to be asked. */
export const isInternalName = (name: string): boolean => {
  const labels = name.split(".");
  if (name === "") return false;
  return labels.length === 1 || INTERNAL.includes(labels.at(-1) ?? "") || /(^|\.)home\.arpa$/.test(name);
};

type Context = {
  /** Asks the name servers of this machine. */
  askFor: (query: Query) => Promise<Answer>;
  outbound: Outbound;
  caller: Caller;
  signal: AbortSignal;
};

/** Limits on the checked name servers of a zone, and on the labels in the search for a zone. */
const MAX_SERVERS = 4;
const MAX_PARENTS = 8;

/** The names of the servers of the zone that a name is in; none if they can't be found. */
const zoneServers = async (name: string, askFor: Context["askFor"]): Promise<string[]> => {
  const labels = name.split(".");
  for (const start of labels.keys()) {
    if (start >= MAX_PARENTS) break;
    const query = { id: randomInt(65_536), name: labels.slice(start).join("."), type: "NS" as const };
    const servers = recordsOf(await askFor(query), query).flatMap(([server]) => server ?? []);
    if (servers.length > 0) return servers.slice(0, MAX_SERVERS);
  }
  return [];
};

/** @throws {LookupFailed | LocalFailure} or the signal's reason */
const isPublicServer = async (name: string, { outbound, caller, signal }: Context): Promise<boolean> => {
  try {
    await outbound.addressesOf(name, caller, signal);
    return true;
  } catch (error) {
    if (error instanceof AddressBlocked || (error instanceof LookupFailed && error.isMissing)) return false;
    throw error;
  }
};

/**
 * Whether an answer of this machine's name servers, also that a name or a record does not exist, is about the network of
 * this machine: addresses that the caller may not reach, their reverse names, and names of zones whose name servers have
 * such addresses only. Public addresses are not, because the caller could connect to them.
 * @throws {LookupFailed | LocalFailure} or the signal's reason
 */
export const isInternalAnswer = async (answer: Answer, query: Query, context: Context): Promise<boolean> => {
  const { outbound, askFor } = context;
  if (![NO_ERROR, NO_NAME].includes(answer.code)) return false;
  const reversed = addressOfReverse(query.name);
  if (reversed !== null) return !outbound.mayUserReach(reversed);
  if (query.type === "A" || query.type === "AAAA") {
    const records = recordsOf(answer, query);
    if (records.length > 0) return !records.every(([address = ""]) => outbound.mayUserReach(address));
  }
  if (query.name === "") return false;
  const servers = await zoneServers(query.name, askFor);
  for (const server of servers) if (await isPublicServer(server, context)) return false;
  return true;
};
