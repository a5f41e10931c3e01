/** The heartbeats that ping URLs lead to: by a token, or by a ping key and a slug. */
import { and } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { quotaReached } from "../../../../core/errors";
import { ownedBy } from "../../../../db/owner";
import { heartbeats, monitors } from "../../../../db/schema";
import { isOneOf, reserveIds } from "../../../../db/sql";
import { DAY, HOUR, SECOND } from "../../../../shared/limits";
import { PASSIVE_KINDS } from "../../../../shared/monitor";
import { lockOwner, requireRoom } from "../../../accounts/quotas/service";
import { insertMonitors } from "../../change";
import { parseMonitor } from "../../model";
import { findPingKeys } from "../ping-keys/service";
import { takenSlugs } from "../rows";
import { type Read, readHeartbeats } from "../write";

/** A token, or a ping key with a slug. */
export type Address = { token: string; slug: string | null };

/** An address as text; tokens have no slash. */
export const addressText = ({ token, slug }: Address): string => (slug === null ? token : `${token}/${slug}`);

/**
 * Reads the heartbeats of addresses, by address: one, or several with the same slug. An unknown address is missing, and the
 * list of a known ping key with an unknown slug is empty.
 */
export const readAddressed = async (
  deps: Pick<Deps, "db">,
  addresses: readonly Address[],
): Promise<Map<string, Read[]>> => {
  const tokens = addresses.flatMap(({ token, slug }) => (slug === null ? [token] : []));
  const byToken = tokens.length > 0 ? await readHeartbeats(deps, isOneOf(heartbeats.token, tokens)) : [];
  const found = new Map(byToken.map((read) => [read.token, [read]]));
  const withSlug = addresses.flatMap(({ token, slug }) => (slug === null ? [] : [{ token, slug }]));
  if (withSlug.length === 0) return found;
  const keys = await findPingKeys(
    deps,
    withSlug.map(({ token }) => token),
  );
  const slugs = withSlug.map(({ slug }) => slug);
  const teams = [...keys.values()].map(({ teamId }) => teamId);
  const ofTeams = and(isOneOf(heartbeats.slug, slugs), isOneOf(monitors.teamId, teams));
  const bySlug = Map.groupBy(await readHeartbeats(deps, ofTeams), ({ teamId, slug }) => `${teamId} ${slug}`);
  for (const address of withSlug) {
    const key = keys.get(address.token);
    if (key) found.set(addressText(address), bySlug.get(`${key.teamId} ${address.slug}`) ?? []);
  }
  return found;
};

/** What healthchecks gives a check that a ping creates, in seconds. */
const CREATED = { every: DAY / SECOND, grace: HOUR / SECOND };
/** Pings create no heartbeats for a team with as many, because others may know its key. */
const MAX_HEARTBEATS = 1000;

/**
 * Creates the heartbeat of a slug for the owner of a ping key, unless another ping has.
 * @throws {AppError} quota_reached
 */
export const createHeartbeat = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "changedMonitors">,
  { token, slug }: { token: string; slug: string },
): Promise<void> => {
  const id = await deps.db.transact(async (tx) => {
    const owner = (await findPingKeys({ db: tx }, [token])).get(token);
    // The key was revoked.
    if (!owner) return null;
    await lockOwner(tx, owner);
    if ((await takenSlugs({ db: tx }, owner.teamId, [slug])).size > 0) return null;
    const ofTeam = and(ownedBy(monitors, owner.teamId), isOneOf(monitors.kind, PASSIVE_KINDS));
    if ((await tx.$count(monitors, ofTeam)) >= MAX_HEARTBEATS) throw quotaReached("monitors", MAX_HEARTBEATS);
    await requireRoom({ ...deps, db: tx }, "monitors", owner);
    const [reserved = 0] = await reserveIds(tx, monitors, 1);
    const input = parseMonitor({ name: slug, kind: "heartbeat", config: { ...CREATED, slug } }, deps.config);
    await insertMonitors(tx, [{ ...input, id: reserved }], { owner, now: deps.clock.now() });
    return reserved;
  });
  if (id !== null) deps.changedMonitors.add(id);
};
