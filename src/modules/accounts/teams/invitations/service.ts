import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gt, lte } from "drizzle-orm";
import { assertNotRefused, claimAttempt, type Limit, limitKey, networkLimits } from "../../../../cluster/rate-limit";
import type { Deps } from "../../../../core/deps";
import { AppError, notFound } from "../../../../core/errors";
import { madeBy, ownedBy, type Viewer } from "../../../../db/owner";
import { invitations, users } from "../../../../db/schema";
import { lock, lockRows } from "../../../../db/sql";
import { isoTime } from "../../../../lib/time";
import { component, id, nullable, object, oneOf, text, time } from "../../../../server/answers";
import { INVITATION_HOURS, TEAM_LIMITS, TEAM_ROLES, type TeamRole } from "../../../../shared/accounts/teams";
import { HOUR } from "../../../../shared/limits";
import { keyOf } from "../../account/service";
import { networksOf } from "../../client-address";
import { mailsLinks, queueInvitation, sendDueMails } from "../../mail/send";
import { addMember, recordMember } from "../members";
import { lockAsOwner, lockTeam, roleIn } from "../membership";
import { readTeamName } from "../names";
import { idOfToken, invitationToken, isValidToken } from "./link";

const role = oneOf("The role of the new member.", TEAM_ROLES, "editor");
const invitedBy = text("Who invites.", "alice");
const expiresAt = time("Until when it can be accepted.", "2026-01-18T12:20:00.000Z");

export const Invitation = component("Invitation", {
  id: id("The invitation's id.", 4),
  role,
  email: nullable(text("Where it is sent; null for a link that is passed on.", "carol@example.com")),
  invited_by: invitedBy,
  created_at: time("When it was made."),
  expires_at: expiresAt,
});

/** An invitation as visitors with its link see it. */
export const InvitationPreview = object({
  team: text("The team's name.", "Shop"),
  role,
  invited_by: invitedBy,
  expires_at: expiresAt,
});

const selectInvitations = ({ db }: Pick<Deps, "db">) =>
  db
    .select({ invitation: invitations, inviter: users.username })
    .from(invitations)
    .innerJoin(users, eq(users.id, invitations.userId));

type Row = Awaited<ReturnType<typeof selectInvitations>>[number];

const present = ({ invitation, inviter }: Row): Static<typeof Invitation> => ({
  id: invitation.id,
  role: invitation.role,
  email: invitation.email,
  invited_by: inviter,
  created_at: isoTime(invitation.createdAt),
  expires_at: isoTime(invitation.expiresAt),
});

const requireOwner = (viewer: Viewer, teamId: number) => {
  if (roleIn(viewer, teamId) !== "owner") throw new AppError("role_insufficient");
};

/** The invitations to a team that can still be accepted, the oldest first. @throws {AppError} not_found, role_insufficient */
export const listInvitations = async (deps: Pick<Deps, "db" | "clock">, viewer: Viewer, teamId: number) => {
  requireOwner(viewer, teamId);
  const open = and(ownedBy(invitations, teamId), gt(invitations.expiresAt, deps.clock.now()));
  return (await selectInvitations(deps).where(open).orderBy(asc(invitations.id)).limit(TEAM_LIMITS.invitations)).map(
    present,
  );
};

/** Of one user: revoked invitations make room for others, which are mails to any address. */
const MAILS_PER_HOUR = 30;

/**
 * Creates an invitation to a team. Returns it with its token, and whether its link is sent by mail.
 * @throws {AppError} not_found, role_insufficient, too_many_invitations, rate_limited
 */
export const invite = async (
  deps: Deps,
  viewer: Viewer & { username: string },
  teamId: number,
  sent: { role: TeamRole; email?: string | null },
) => {
  const { db, clock } = deps;
  const email = sent.email?.trim() || null;
  const isMailed = email !== null && mailsLinks(deps);
  if (isMailed)
    await claimAttempt(deps, [{ key: limitKey("invitation mail", viewer.id), allowed: MAILS_PER_HOUR, window: HOUR }]);
  const invitation = await db.transact(async (tx) => {
    await lockAsOwner(tx, viewer, teamId);
    const open = await tx.select().from(invitations).where(ownedBy(invitations, teamId));
    const replaced = open.filter((one) => email !== null && one.email !== null && keyOf(one.email) === keyOf(email));
    for (const { id } of replaced) await tx.delete(invitations).where(eq(invitations.id, id));
    if (open.length - replaced.length >= TEAM_LIMITS.invitations)
      throw new AppError("too_many_invitations", { limit: TEAM_LIMITS.invitations });
    const times = { createdAt: clock.now(), expiresAt: clock.now() + INVITATION_HOURS * HOUR };
    const values = { ...madeBy({ id: viewer.id, teamId }), role: sent.role, email, ...times };
    const [row] = await tx.insert(invitations).values(values).returning();
    const created = row as typeof invitations.$inferSelect;
    if (isMailed) await queueInvitation({ ...deps, db: tx }, created);
    return created;
  });
  if (isMailed) void sendDueMails(deps).catch(() => {});
  return {
    invitation: present({ invitation, inviter: viewer.username }),
    token: invitationToken(deps, invitation),
    mailed: isMailed,
  };
};

/** Revokes an invitation. @throws {AppError} not_found, role_insufficient */
export const revokeInvitation = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  { teamId, id }: { teamId: number; id: number },
): Promise<void> => {
  requireOwner(viewer, teamId);
  const deleted = await db
    .delete(invitations)
    .where(and(eq(invitations.id, id), ownedBy(invitations, teamId)))
    .returning({ id: invitations.id });
  if (deleted.length === 0) throw notFound("Invitation");
};

/** Invitations that are not valid, from a network. */
const limitsOf = (address: string): Limit[] =>
  networkLimits(networksOf(address).all, 30, (network) => limitKey("invitation", network));

/** @throws {AppError} invitation_invalid, rate_limited */
const findByToken = async (deps: Deps, token: string, address: string): Promise<Row> => {
  const limits = limitsOf(address);
  assertNotRefused(deps, limits);
  const id = idOfToken(token);
  const [row] = id === undefined ? [] : await selectInvitations(deps).where(eq(invitations.id, id));
  if (row && isValidToken(deps, token, row.invitation, deps.clock.now())) return row;
  await claimAttempt(deps, limits);
  throw new AppError("invitation_invalid");
};

/** The invitation of a link. @throws {AppError} invitation_invalid, rate_limited */
export const previewInvitation = async (
  deps: Deps,
  token: string,
  address: string,
): Promise<Static<typeof InvitationPreview>> => {
  const found = await findByToken(deps, token, address);
  const { role, invited_by, expires_at } = present(found);
  return { team: await readTeamName(deps, found.invitation.teamId), role, invited_by, expires_at };
};

/**
 * Makes a user a member by the link of an invitation, which works once. Returns the invitation.
 * @throws {AppError} invitation_invalid, already_member, too_many_members, too_many_teams, rate_limited
 */
export const acceptInvitation = async (
  deps: Deps,
  user: Viewer & { username: string },
  token: string,
  address: string,
) => {
  const { invitation } = await findByToken(deps, token, address);
  const { id, teamId, role, email } = invitation;
  await deps.db.transact(async (tx) => {
    const rows = await lockTeam(tx, teamId);
    await lock(tx, lockRows(invitations, invitations.id, eq(invitations.id, id)));
    // Another call may have accepted or revoked it since it was read.
    if ((await tx.$count(invitations, eq(invitations.id, id))) === 0) throw new AppError("invitation_invalid");
    if (rows.some(({ userId }) => userId === user.id)) throw new AppError("already_member");
    await addMember(tx, rows, { teamId, userId: user.id }, role);
    await tx.delete(invitations).where(eq(invitations.id, id));
    const within = { ...deps, db: tx };
    const detail = `${await readTeamName(within, teamId)}${email ? `, ${email}` : ""} (${role})`;
    const member = { teamId, userId: user.id, username: user.username };
    const event = { kind: "invitation_accepted", detail } as const;
    await recordMember(within, user, member, { action: "created", after: role, event });
  });
  return invitation;
};

/** Purges invitations that have expired. */
export const purgeInvitations = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<void> => {
  await db.delete(invitations).where(lte(invitations.expiresAt, clock.now()));
};
