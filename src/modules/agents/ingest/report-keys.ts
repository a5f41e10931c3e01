import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError, rateLimited, unavailable } from "../../../core/errors";
import { hashSecret } from "../../../core/secrets";
import { agentStates } from "../../../db/schema";
import { createMutex } from "../../../lib/concurrency";
import { createExpiringMap } from "../../../lib/expiring-map";
import { MINUTE, SECOND } from "../../../shared/limits";
import { isDeleted } from "../deleted";

/** Reports with an unknown key that one address may send within a minute before it is rate limited. */
const BAD_KEYS_A_MINUTE = 60;
/** Queued lookups of one rate-limited address; more are refused at once. */
const WAITING_LOOKUPS = 100;
const KNOWN_FOR = MINUTE;
const UNKNOWN_FOR = 10 * SECOND;
const REMEMBERED = 20_000;

type Standing = "known" | "unknown" | "deleted";
type Origin = { bad: number; waiting: number; exclusively: ReturnType<typeof createMutex> };

/**
 * Decides whether a report is read at all, by the key in its header: one indexed read, whose outcome is remembered
 * for a short time. An address that sends many unknown keys gets one look-up at a time, so that other addresses do not
 * wait for it; an agent with a valid key behind the same address is still served.
 */
export const createReportKeys = ({ db, clock, log }: Pick<Deps, "db" | "clock" | "log">) => {
  const known = createExpiringMap<string, true>(REMEMBERED);
  const unknown = createExpiringMap<string, Standing>(REMEMBERED);
  const origins = createExpiringMap<string, Origin>(REMEMBERED);

  const countBadKey = (origin: string, now: number): Origin => {
    const counted = origins.get(origin, now) ?? { bad: 0, waiting: 0, exclusively: createMutex() };
    if (counted.bad === 0) origins.set(origin, counted, now, MINUTE);
    counted.bad++;
    return counted;
  };

  const refuse = (origin: string, standing: Standing = "unknown") => {
    if (standing === "deleted") return new AppError("agent_deleted");
    return countBadKey(origin, clock.now()).bad > BAD_KEYS_A_MINUTE
      ? rateLimited(MINUTE / SECOND)
      : new AppError("unauthorized");
  };

  const underWay = new Map<string, Promise<Standing>>();

  const read = async (keyHash: string): Promise<Standing> => {
    try {
      const [row] = await db
        .select({ id: agentStates.agentId })
        .from(agentStates)
        .where(eq(agentStates.keyHash, keyHash));
      if (row) return "known";
      return (await isDeleted({ db }, keyHash)) ? "deleted" : "unknown";
    } catch (error) {
      log.error("an agent's key could not be looked up", { error: describeError(error) });
      throw unavailable();
    }
  };

  /** Reports that come at once with one key share a look-up, and keep their order. */
  const lookUp = (keyHash: string): Promise<Standing> => {
    const joined = underWay.get(keyHash);
    if (joined) return joined;
    const reading = read(keyHash).finally(() => underWay.delete(keyHash));
    underWay.set(keyHash, reading);
    return reading;
  };

  /** For an address above its limit: its look-ups run one after the other. */
  const lookUpInTurn = async (counted: Origin, keyHash: string): Promise<Standing> => {
    if (counted.waiting >= WAITING_LOOKUPS) throw rateLimited(1);
    counted.waiting++;
    return counted.exclusively(() => lookUp(keyHash)).finally(() => counted.waiting--);
  };

  return {
    /**
     * Passes for the key of an agent; `origin` is the network address that the report comes from.
     * @throws {AppError} agent_deleted when its agent was deleted, unauthorized for any other key, rate_limited when its address sent too many of them,
     * unavailable when the database can't be read
     */
    admit: async (key: string, origin: string): Promise<void> => {
      // What cannot be a key needs no look-up.
      if (!/^wka_[\w-]{43}$/.test(key)) throw refuse(origin);
      const [keyHash, now] = [hashSecret(key), clock.now()];
      if (known.get(keyHash, now)) return;
      const before = unknown.get(keyHash, now);
      if (before) throw refuse(origin, before);
      const counted = origins.get(origin, now);
      const limited = counted !== undefined && counted.bad > BAD_KEYS_A_MINUTE;
      const standing = await (limited ? lookUpInTurn(counted, keyHash) : lookUp(keyHash));
      if (standing === "known") {
        known.set(keyHash, true, now, KNOWN_FOR);
        return;
      }
      unknown.set(keyHash, standing, now, UNKNOWN_FOR);
      throw refuse(origin, standing);
    },
  };
};
