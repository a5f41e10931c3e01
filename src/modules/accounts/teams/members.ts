import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { members, users } from "../../../db/schema";
import { boolean, component, id, oneOf, text } from "../../../server/answers";
import { TEAM_LIMITS, TEAM_ROLES, type TeamRole } from "../../../shared/accounts/teams";
import { type Author, type Change, recordChange } from "../audit/record";
import {
  lockAsOwner,
  lockTeam,
  type Membership,
  requireHeir,
  revokeInvitationsOf,
  roleIn,
  takeOver,
} from "./membership";
import { readTeamName } from "./names";
import { requireRoomForTeam } from "./teams";

type Store = Pick<Deps, "db">;
type Changing = Pick<Deps, "db" | "clock" | "log">;

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

type MemberChange = Pick<Change, "action" | "event"> & { before?: TeamRole; after?: TeamRole };

/** Records a change of a member of a team, within its transaction. */
export const recordMember = (
  deps: Changing,
  author: Author,
  { teamId, userId, username }: Pick<Membership, "teamId" | "userId" | "username">,
  { before, after, ...change }: MemberChange,
): Promise<void> =>
  recordChange(deps, author, {
    ...{ ...change, object: { type: "member", id: userId, name: username }, teamId },
    ...{ before: { role: before }, after: { role: after } },
  });

const ofMember = ({ teamId, userId }: Place) => and(ownedBy(members, teamId), ofUser(members, userId));

/**
 * Gives a member of a locked team another role, within its transaction.
 * @throws {AppError} last_owner, personal_team
 */
export const giveRole = async (
  deps: Changing,
  author: Author,
  { rows, member }: { rows: readonly Membership[]; member: Membership },
  role: TeamRole,
): Promise<void> => {
  if (member.role === "owner" && role !== "owner") {
    requireHeir(rows, member);
    await deps.db.atomically((queries) => [revokeInvitationsOf(queries, member)]);
  }
  await deps.db.update(members).set({ role }).where(ofMember(member));
  const detail = `${await readTeamName(deps, member.teamId)}, ${member.username}: ${member.role} → ${role}`;
  const event = { kind: "member_changed", detail } as const;
  await recordMember(deps, author, member, { action: "changed", before: member.role, after: role, event });
};

/**
 * Ends the membership in a locked team, within its transaction. An owner takes over what the member made.
 * @throws {AppError} last_owner, personal_team
 */
export const endMembership = async (
  deps: Changing,
  author: Author,
  { rows, member }: { rows: readonly Membership[]; member: Membership },
): Promise<void> => {
  const heir = requireHeir(rows, member);
  await deps.db.atomically((queries) => [
    ...takeOver(queries, member, heir),
    queries.delete(members).where(ofMember(member)),
  ]);
  const detail = `${await readTeamName(deps, member.teamId)}, ${member.username}`;
  const event = { kind: "member_removed", detail } as const;
  await recordMember(deps, author, member, { action: "deleted", before: member.role, event });
};

/**
 * Makes a user a member of a locked team, within its transaction.
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
 * Changes the role of a member.
 * @throws {AppError} not_found, role_insufficient, last_owner, personal_team
 */
export const changeMember = (deps: Changing, viewer: Viewer, { teamId, userId }: Place, role: TeamRole) =>
  deps.db.transact(async (tx): Promise<void> => {
    const rows = await lockAsOwner(tx, viewer, teamId);
    await giveRole({ ...deps, db: tx }, viewer, { rows, member: memberIn(rows, userId) }, role);
  });

/**
 * Removes a member, or lets the viewer leave.
 * @throws {AppError} not_found, role_insufficient, last_owner, personal_team
 */
export const removeMember = (deps: Changing, viewer: Viewer, { teamId, userId }: Place): Promise<void> =>
  deps.db.transact(async (tx) => {
    const rows = await (viewer.id === userId ? lockTeam(tx, teamId) : lockAsOwner(tx, viewer, teamId));
    await endMembership({ ...deps, db: tx }, viewer, { rows, member: memberIn(rows, userId) });
  });
