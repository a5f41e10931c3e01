import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { members, users } from "../../../db/schema";
import { boolean, component, id, oneOf, text } from "../../../server/answers";
import { TEAM_LIMITS, TEAM_ROLES, type TeamRole } from "../../../shared/accounts/teams";
import {
  lockAsOwner,
  lockTeam,
  type Membership,
  requireHeir,
  revokeInvitationsOf,
  roleIn,
  takeOver,
} from "./membership";
import { requireRoomForTeam } from "./teams";

type Store = Pick<Deps, "db">;

export const TeamMember = component("TeamMember", {
  id: id("The user's id.", 5),
  username: text("The user's name.", "carol"),
  role: oneOf("Their role.", TEAM_ROLES, "editor"),
  permanent: boolean("Whether it is their personal team, of which they stay an owner.", false),
});

/** The members of a team by name. @throws {AppError} not_found */
export const listMembers = async (
  { db }: Store,
  viewer: Viewer,
  teamId: number,
): Promise<Static<typeof TeamMember>[]> => {
  roleIn(viewer, teamId);
  const { id: userId, username, usernameKey, teamId: personal } = users;
  const rows = await db
    .select({ id: userId, username, role: members.role, personal })
    .from(members)
    .innerJoin(users, eq(userId, members.userId))
    .where(ownedBy(members, teamId))
    .orderBy(asc(usernameKey))
    .limit(TEAM_LIMITS.members);
  return rows.map(({ personal, ...row }) => ({ ...row, permanent: personal === teamId }));
};

const memberIn = (rows: readonly Membership[], userId: number): Membership => {
  const member = rows.find((row) => row.userId === userId);
  if (!member) throw notFound("Member");
  return member;
};

type Place = { teamId: number; userId: number };

const ofMember = ({ teamId, userId }: Place) => and(ownedBy(members, teamId), ofUser(members, userId));

/**
 * Gives a member of a locked team another role.
 * @throws {AppError} last_owner, personal_team
 */
export const giveRole = async (
  tx: Database,
  rows: readonly Membership[],
  member: Membership,
  role: TeamRole,
): Promise<void> => {
  if (member.role === "owner" && role !== "owner") {
    requireHeir(rows, member);
    await tx.atomically((queries) => [revokeInvitationsOf(queries, member)]);
  }
  await tx.update(members).set({ role }).where(ofMember(member));
};

/**
 * Ends the membership in a locked team. An owner takes over what the member made.
 * @throws {AppError} last_owner, personal_team
 */
export const endMembership = async (tx: Database, rows: readonly Membership[], member: Membership): Promise<void> => {
  const heir = requireHeir(rows, member);
  await tx.atomically((queries) => [
    ...takeOver(queries, member, heir),
    queries.delete(members).where(ofMember(member)),
  ]);
};

/**
 * Makes a user a member of a locked team.
 * @throws {AppError} too_many_members, too_many_teams
 */
export const addMember = async (
  tx: Database,
  rows: readonly Membership[],
  { teamId, userId }: Place,
  role: TeamRole,
): Promise<void> => {
  if (rows.length >= TEAM_LIMITS.members) throw new AppError("too_many_members", { limit: TEAM_LIMITS.members });
  await requireRoomForTeam(tx, userId);
  await tx.insert(members).values({ teamId, userId, role });
};

/**
 * Changes the role of a member. Returns the member before the change.
 * @throws {AppError} not_found, role_insufficient, last_owner, personal_team
 */
export const changeMember = ({ db }: Store, viewer: Viewer, { teamId, userId }: Place, role: TeamRole) =>
  db.transact(async (tx): Promise<Membership> => {
    const rows = await lockAsOwner(tx, viewer, teamId);
    const member = memberIn(rows, userId);
    await giveRole(tx, rows, member, role);
    return member;
  });

/**
 * Removes a member, or lets the viewer leave. An owner takes over what they made.
 * @throws {AppError} not_found, role_insufficient, last_owner, personal_team
 */
export const removeMember = ({ db }: Store, viewer: Viewer, { teamId, userId }: Place): Promise<Membership> =>
  db.transact(async (tx) => {
    const rows = await (viewer.id === userId ? lockTeam(tx, teamId) : lockAsOwner(tx, viewer, teamId));
    const member = memberIn(rows, userId);
    await endMembership(tx, rows, member);
    return member;
  });
