/** The own channels of members that also get the alerts of a team: chosen by the member, and used while they are one. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, exists, or, type SQL } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { notFound, validation } from "../../../core/errors";
import type { Queries } from "../../../db/database";
import { ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { channelFollows, channels, members, users } from "../../../db/schema";
import { isOneOf, lock, lockAlerts } from "../../../db/sql";
import { boolean, component, id, integer, list, object, oneOf, text } from "../../../server/answers";
import { TEAM_LIMITS } from "../../../shared/accounts/teams";
import { recordChange } from "../../accounts/audit/record";
import { channelTypes } from "../channels/registry";

export const Follows = component("Follows", {
  channels: list(
    object({
      id: id("The channel's id.", 2),
      name: text("Its name.", "Phone"),
      type: oneOf("Its kind.", channelTypes()),
      enabled: boolean("Whether it is used.", true),
    }),
    "The channels of your personal team, which can be chosen.",
  ),
  teams: list(
    object({
      team: id("The team's id.", 5),
      channels: list(integer("A channel's id.", 2), "Your channels that get its alerts."),
    }),
    "The teams whose alerts your own channels get.",
  ),
});

/** Channels of members that get the alerts of these teams, each named after its user, too. */
export const readFollowers = async ({ db }: Pick<Deps, "db">, teamIds: readonly number[]) => {
  const { id, name, type, enabled } = channels;
  const rows = await db
    .select({ teamId: channelFollows.teamId, username: users.username, channel: { id, name, type, enabled } })
    .from(channelFollows)
    .innerJoin(users, eq(users.id, channelFollows.userId))
    .innerJoin(members, and(ofUser(members, users.id), ownedBy(members, channelFollows.teamId)))
    .innerJoin(channels, and(eq(channels.id, channelFollows.channelId), ownedBy(channels, users.teamId)))
    .where(isOneOf(channelFollows.teamId, teamIds))
    .orderBy(asc(channels.id));
  return rows.map(({ teamId, username, channel }) => ({
    teamId,
    channel: { ...channel, name: `${channel.name} (${username})` },
  }));
};

/** The condition that messages about a team may be sent to a channel: it is the team's own, or follows it. */
export const isUsableBy = (db: Pick<Queries, "select">, teamId: number): SQL | undefined => {
  const following = db
    .select({ id: channelFollows.channelId })
    .from(channelFollows)
    .innerJoin(users, eq(users.id, channelFollows.userId))
    .innerJoin(members, and(ofUser(members, users.id), ownedBy(members, channelFollows.teamId)))
    .where(
      and(ownedBy(channelFollows, teamId), eq(channelFollows.channelId, channels.id), ownedBy(users, channels.teamId)),
    );
  return or(ownedBy(channels, teamId), exists(following));
};

const readPersonalTeam = async ({ db }: Pick<Deps, "db">, { id }: Viewer): Promise<number> => {
  const [row] = await db.select({ teamId: users.teamId }).from(users).where(eq(users.id, id));
  if (!row) throw notFound("User");
  return row.teamId;
};

const readOwnChannels = async ({ db }: Pick<Deps, "db">, teamId: number) => {
  const { id, name, type, enabled } = channels;
  return db.select({ id, name, type, enabled }).from(channels).where(ownedBy(channels, teamId)).orderBy(asc(id));
};

/** A user's own channels, and the teams whose alerts they get. */
export const readFollows = async (deps: Pick<Deps, "db">, user: Viewer): Promise<Static<typeof Follows>> => {
  const own = await readOwnChannels(deps, await readPersonalTeam(deps, user));
  // `?team=` limits the teams of the viewer, but not what they have chosen.
  const rows = await deps.db
    .select({ teamId: channelFollows.teamId, channelId: channelFollows.channelId })
    .from(channelFollows)
    .innerJoin(members, and(ofUser(members, channelFollows.userId), ownedBy(members, channelFollows.teamId)))
    .where(and(ofUser(channelFollows, user.id), user.limited ? ownedBy(channelFollows, user.teamId) : undefined))
    .orderBy(asc(channelFollows.channelId));
  const chosen = rows.filter(({ channelId }) => own.some(({ id }) => id === channelId));
  const byTeam = Map.groupBy(chosen, ({ teamId }) => teamId);
  return {
    channels: user.limited ? [] : own,
    teams: [...byTeam].map(([team, some]) => ({ team, channels: some.map(({ channelId }) => channelId) })),
  };
};

/**
 * Stores which own channels of a user get the alerts of another team of theirs.
 * @throws {AppError} not_found for a team that the user is no member of, and for the personal one; validation
 */
export const saveFollows = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  user: Viewer & { username: string },
  teamId: number,
  ids: readonly number[],
): Promise<void> => {
  const chosen = [...new Set(ids)];
  if (chosen.length > TEAM_LIMITS.ownChannels)
    throw validation([{ path: "channels", message: `channels: at most ${TEAM_LIMITS.ownChannels}` }]);
  await deps.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const personal = await readPersonalTeam({ db: tx }, user);
    const [membership] = await tx
      .select({ role: members.role })
      .from(members)
      .where(and(ownedBy(members, teamId), ofUser(members, user.id)));
    // A key that is limited to one team uses nothing of the personal one.
    if (!membership || user.limited || teamId === personal) throw notFound("Team");
    const own = new Map((await readOwnChannels({ db: tx }, personal)).map(({ id, name }) => [id, name]));
    if (chosen.some((id) => !own.has(id)))
      throw validation([{ path: "channels", message: "channels: expected your own channels" }]);
    const ofMember = and(ownedBy(channelFollows, teamId), ofUser(channelFollows, user.id));
    const before = await tx.select({ id: channelFollows.channelId }).from(channelFollows).where(ofMember);
    await tx.delete(channelFollows).where(ofMember);
    if (chosen.length > 0)
      await tx.insert(channelFollows).values(chosen.map((channelId) => ({ userId: user.id, teamId, channelId })));
    const named = (some: readonly number[]) => ({ channels: some.map((id) => own.get(id) ?? String(id)).toSorted() });
    await recordChange({ ...deps, db: tx }, user, {
      ...{ action: "changed", object: { type: "member", id: user.id, name: user.username }, teamId },
      ...{ before: named(before.map(({ id }) => id)), after: named(chosen) },
    });
  });
};
