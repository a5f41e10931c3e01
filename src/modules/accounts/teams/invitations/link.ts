import { createHmac, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { invitations } from "../../../../db/schema";
import { readTeamName } from "../names";

type Invitation = typeof invitations.$inferSelect;
type Secrets = Pick<Deps, "jwtSecret" | "installationId">;

/** The signature of an invitation, so that no secret is stored. */
const sign = ({ jwtSecret, installationId }: Secrets, { id, teamId, role, createdAt }: Invitation): Buffer =>
  createHmac("sha256", jwtSecret)
    .update(["invitation", installationId, id, teamId, role, createdAt].join("\n"))
    .digest();

/** The token in the link of an invitation. */
export const invitationToken = (secrets: Secrets, invitation: Invitation): string =>
  `${invitation.id}.${sign(secrets, invitation).toString("base64url")}`;

/** The id of the invitation that a token is for, before it is verified; undefined when it has another form. */
export const idOfToken = (token: string): number | undefined => {
  const id = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(token)?.[1];
  return id === undefined ? undefined : Number(id);
};

/** Whether a token was made for an invitation, which has not expired. */
export const isValidToken = (secrets: Secrets, token: string, invitation: Invitation, now: number): boolean => {
  const [expected, given] = [sign(secrets, invitation), Buffer.from(token.split(".")[1] ?? "", "base64url")];
  return invitation.expiresAt > now && given.length === expected.length && timingSafeEqual(given, expected);
};

/** Reads the recipient, the team and the link of an invitation for its mail; null when it does not exist any more. The token is its hash, which servers and proxies do not log. */
export const readInvitationMail = async (deps: Secrets & Pick<Deps, "db" | "config">, id: number) => {
  const [invitation] = await deps.db.select().from(invitations).where(eq(invitations.id, id));
  if (!invitation) return null;
  const team = await readTeamName(deps, invitation.teamId);
  return {
    email: invitation.email,
    team,
    link: `${deps.config.publicUrl}/invitation#${invitationToken(deps, invitation)}`,
  };
};
