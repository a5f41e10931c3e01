/** What members of a team may do, and what becomes of a team when one leaves. */
import { and, eq, inArray } from "drizzle-orm";
import { AppError, notFound } from "../../../core/errors";
import type { Database, Queries, Statement } from "../../../db/database";
import { type Owner, ofUser, ownedBy, type Viewer } from "../../../db/owner";
import { invitations, members, teams, users } from "../../../db/schema";
import { lock, lockRowsLightly } from "../../../db/sql";
import { TEAM_ROLES, type TeamRole } from "../../../shared/accounts/teams";
import { owned } from "../owned";
import { handOver } from "./hand-over";

/**
 * The role of a viewer in a team: `owner` for administrators who see every team.
 * @throws {AppError} not_found
 */
export const roleIn = ({ teams: own, seesAll }: Pick<Viewer, "teams" | "seesAll">, teamId: number): TeamRole => {
  const role = own.get(teamId) ?? (seesAll ? "owner" : undefined);
  if (role === undefined) throw notFound("Team");
  return role;
};

/** A member, with the role of their account and whether it is their personal team. */
export type Membership = {
  teamId: number;
  userId: number;
  username: string;
  role: TeamRole;
  isAdmin: boolean;
  isPersonal: boolean;
};

/** The members of the teams that `ofTeams` selects. */
const readMembers = async (tx: Pick<Queries, "select">, ofTeams: ReturnType<typeof and>): Promise<Membership[]> => {
  const { teamId, userId, role } = members;
  const account = { username: users.username, account: users.role, personal: users.teamId };
  const rows = await tx
    .select({ teamId, userId, role, ...account })
    .from(members)
    .innerJoin(users, eq(users.id, userId))
    .where(ofTeams);
  return rows.map(({ account, personal, ...row }) => ({
    ...row,
    isAdmin: account === "admin",
    isPersonal: personal === row.teamId,
  }));
};

/**
 * Locks a team until the transaction ends, so that two owners who remove each other run one after the other. Returns its
 * members.
 * @throws {AppError} not_found
 */
export const lockTeam = async (tx: Database, teamId: number): Promise<Membership[]> => {
  await lock(tx, lockRowsLightly(teams, teams.id, eq(teams.id, teamId)));
  const rows = await readMembers(tx, ownedBy(members, teamId));
  if (rows.length === 0) throw notFound("Team");
  return rows;
};

/**
 * Locks a team as `lockTeam` does, and asserts that a viewer still is an owner of it.
 * @throws {AppError} not_found, role_insufficient
 */
export const lockAsOwner = async (tx: Database, viewer: Viewer, teamId: number): Promise<Membership[]> => {
  const rows = await lockTeam(tx, teamId);
  const own = rows.filter(({ userId }) => userId === viewer.id);
  const role = roleIn({ teams: new Map(own.map((row) => [teamId, row.role])), seesAll: viewer.seesAll }, teamId);
  if (role !== "owner") throw new AppError("role_insufficient");
  return rows;
};

/** The best of some members to take over from another one: an owner, and an administrator in place of an administrator. */
const heirOf = (others: readonly Membership[], { isAdmin }: Membership): Membership | undefined => {
  const rank = (other: Membership) => TEAM_ROLES.indexOf(other.role) * 2 + Number(other.isAdmin === isAdmin);
  return others.toSorted((one, other) => rank(other) - rank(one) || one.userId - other.userId)[0];
};

/** The statement that revokes the invitations of a member who may invite no more, and could come back by them. */
export const revokeInvitationsOf = (tx: Queries, { teamId, userId }: Owner): Statement =>
  tx.delete(invitations).where(and(ownedBy(invitations, teamId), ofUser(invitations, userId)));

/**
 * The statements that make an heir the maker of the rows of a member in a team, and revoke the invitations and enrollment tokens
 * that would let the member or their machines in again.
 */
export const takeOver = (tx: Queries, { teamId, userId }: Owner, heir: Membership): Statement[] => [
  revokeInvitationsOf(tx, { teamId, userId }),
  owned().enrollment_tokens.revoke(tx, { teamId, userId }),
  ...handOver(tx, { teamId, from: userId, to: heir.userId }),
];

/**
 * Returns the heir of a member who leaves a team.
 * @throws {AppError} personal_team, last_owner
 */
export const requireHeir = (rows: readonly Membership[], leaving: Membership): Membership => {
  if (leaving.isPersonal) throw new AppError("personal_team");
  const heir = heirOf(
    rows.filter(({ userId, role }) => userId !== leaving.userId && role === "owner"),
    leaving,
  );
  if (!heir) throw new AppError("last_owner");
  return heir;
};

/** What becomes of the teams of a user who is deleted: they go with the user, or another member takes over. */
type Departure = { going: number[]; staying: { member: Membership; heir: Membership }[] };

/** A team goes with its last member, and a personal team also while it has no other owner. */
export const readDeparture = async (tx: Pick<Queries, "select">, userId: number): Promise<Departure> => {
  const own = tx.select({ id: members.teamId }).from(members).where(ofUser(members, userId));
  const rows = await readMembers(tx, inArray(members.teamId, own));
  const departure: Departure = { going: [], staying: [] };
  for (const [teamId, all] of Map.groupBy(rows, (row) => row.teamId)) {
    const member = all.find((row) => row.userId === userId) as Membership;
    const others = all.filter((row) => row !== member && (!member.isPersonal || row.role === "owner"));
    const heir = heirOf(others, member);
    if (heir) departure.staying.push({ member, heir });
    else departure.going.push(teamId);
  }
  return departure;
};
