import { eq, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, rateLimited, unavailable } from "../../../core/errors";
import { hashSecret } from "../../../core/secrets";
import { agents, deletedAgents, agentStates as states } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import { createExpiringMap } from "../../../lib/expiring-map";
import { DAY, MINUTE, SECOND } from "../../../shared/limits";

/** How long the key of a deleted agent is stored. An agent that is started later only gets `unauthorized`. */
const DELETED_KEPT = 90 * DAY;

/**
 * A statement that stores the key hashes of agents which are about to be deleted. It goes before the statement that
 * deletes their states, in the same transaction.
 */
export const rememberDeleted = (agentIds: SQL, now: number): SQL =>
  sql`insert into ${deletedAgents} (key_hash, deleted_at)
    select s.key_hash, cast(${now} as bigint) from ${states} as s where s.agent_id in (${agentIds})
    on conflict (key_hash) do nothing`;

/** The same for every agent of the users that `owner` selects. */
export const rememberDeletedOf = (owner: SQL, now: number): SQL =>
  rememberDeleted(sql`select ${agents.id} from ${agents} where ${agents.teamId} in (${owner})`, now);

/** Whether the agent with this key was deleted in the last 90 days. */
const isDeleted = async ({ db }: Pick<Deps, "db">, keyHash: string): Promise<boolean> =>
  (await db.$count(deletedAgents, eq(deletedAgents.keyHash, keyHash))) > 0;

/**
 * The error for a key without an agent. Unless the deletion of the agent is recorded it is `unauthorized`, and the agent
 * retries later: the hub may be temporarily without its data.
 */
export const refusalOfKey = async (deps: Pick<Deps, "db">, keyHash: string): Promise<AppError> =>
  (await isDeleted(deps, keyHash)) ? new AppError("agent_deleted") : new AppError("unauthorized");

/** Deletes the key hashes of agents that were deleted more than 90 days ago. */
export const purgeDeletedServers = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(deletedAgents).where(lt(deletedAgents.deletedAt, clock.now() - DELETED_KEPT));
};

/** Reports with an unknown key that one address may send within a minute before it is rate limited. */
const BAD_KEYS_A_MINUTE = 60;
/** Queued lookups of one rate-limited address; more are refused at once. */
const WAITING_LOOKUPS = 100;
/**
 * How long the outcome of a lookup is cached, and for how many keys and addresses. A known key is cached for longer than the
 * usual minute between two reports.
 */
const KNOWN_FOR = 90 * SECOND;
const UNKNOWN_FOR = 10 * SECOND;
const CACHED = 20_000;

/**
 * Reports that one key may send: the burst after a long interruption, and the rate in each second after it.
 * An agent sends at most one a second.
 */
const BURST = 60;
const REPORTS_A_SECOND = 4;

/** An agent that may report, with the hash of its key. */
export type ReportingAgent = { id: number; userId: number; keyHash: string };
/** The agent that has a key, or what is known of a key that none has. */
type Standing = ReportingAgent | "unknown" | "deleted";
type Origin = { bad: number; waiting: number; exclusively: ReturnType<typeof createMutex> };

/**
 * Decides whether a report is read at all, by the key in its header: one indexed read, whose outcome is cached
 * for a short time. An address that sends many unknown keys gets one lookup at a time, so that other addresses do not
 * wait for it; an agent with a valid key behind the same address is still served.
 */
export const createReportKeys = ({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">) => {
  const agentByKey = createExpiringMap<string, ReportingAgent>(CACHED);
  const sent = createExpiringMap<number, { free: number; at: number }>(CACHED);
  const unknown = createExpiringMap<string, Standing>(CACHED);
  const origins = createExpiringMap<string, Origin>(CACHED);

  const countBadKey = (origin: string, now: number): Origin => {
    const counted = origins.get(origin, now) ?? { bad: 0, waiting: 0, exclusively: createMutex() };
    if (counted.bad === 0) origins.set(origin, counted, now, { lifetime: MINUTE });
    counted.bad++;
    return counted;
  };

  const refuse = (origin: string, standing: Standing) => {
    if (standing === "deleted") return new AppError("agent_deleted");
    return countBadKey(origin, clock.now()).bad > BAD_KEYS_A_MINUTE
      ? rateLimited(MINUTE / SECOND)
      : new AppError("unauthorized");
  };

  const underWay = new Map<string, Promise<Standing>>();

  const read = async (keyHash: string): Promise<Standing> => {
    try {
      const [row] = await db
        .select({ id: states.agentId, userId: agents.userId })
        .from(states)
        .innerJoin(agents, eq(agents.id, states.agentId))
        .where(eq(states.keyHash, keyHash));
      if (row) return { ...row, keyHash };
      return (await isDeleted({ db }, keyHash)) ? "deleted" : "unknown";
    } catch (error) {
      log.error("an agent's key could not be looked up", { error: describeError(error) });
      throw unavailable();
    }
  };

  /** Concurrent reports with one key share a lookup, and keep their order. */
  const lookUp = (keyHash: string): Promise<Standing> => {
    const joined = underWay.get(keyHash);
    if (joined) return joined;
    const reading = read(keyHash).finally(() => underWay.delete(keyHash));
    underWay.set(keyHash, reading);
    return reading;
  };

  /** For an address above its limit: its lookups run one after the other. */
  const lookUpInTurn = async (counted: Origin, keyHash: string): Promise<Standing> => {
    if (counted.waiting >= WAITING_LOOKUPS) throw rateLimited(1);
    counted.waiting++;
    return counted.exclusively(() => lookUp(keyHash)).finally(() => counted.waiting--);
  };

  return {
    /**
     * Returns the agent that has a key, and its user. `origin` is the network address that the report comes from.
     * @throws {AppError} agent_deleted when its agent was deleted, unauthorized for any other key, rate_limited when its address sent too many of them,
     * unavailable when the database can't be read
     */
    admit: async (key: string, origin: string): Promise<ReportingAgent> => {
      // A malformed key needs no lookup.
      if (!/^wka_[\w-]{43}$/.test(key)) throw refuse(origin, "unknown");
      const [keyHash, now] = [hashSecret(key), clock.now()];
      const agent = agentByKey.get(keyHash, now);
      if (agent) return agent;
      const before = unknown.get(keyHash, now);
      if (before) throw refuse(origin, before);
      const counted = origins.get(origin, now);
      const limited = counted !== undefined && counted.bad > BAD_KEYS_A_MINUTE;
      const standing = await (limited ? lookUpInTurn(counted, keyHash) : lookUp(keyHash));
      if (typeof standing === "object") {
        agentByKey.set(keyHash, standing, now, { lifetime: KNOWN_FOR });
        return standing;
      }
      unknown.set(keyHash, standing, now, { lifetime: UNKNOWN_FOR });
      throw refuse(origin, standing);
    },
    /**
     * Counts a report of an agent.
     * @throws {AppError} rate_limited
     */
    countReport: ({ id }: ReportingAgent): void => {
      const now = clock.now();
      const before = sent.get(id, now) ?? { free: BURST, at: now };
      const passed = Math.max(0, now - before.at) / SECOND;
      const free = Math.min(BURST, before.free + passed * REPORTS_A_SECOND);
      if (free < 1) throw rateLimited(1);
      sent.set(id, { free: free - 1, at: now }, now, { lifetime: MINUTE });
    },
    /** Keeps the outcome of an agent's lookup for another while, after its report was stored. */
    renew: (agent: ReportingAgent): void => agentByKey.set(agent.keyHash, agent, clock.now(), { lifetime: KNOWN_FOR }),
  };
};
