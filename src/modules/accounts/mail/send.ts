import { and, asc, eq, lte } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, describeError } from "../../../core/errors";
import { mails, users } from "../../../db/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { deliveryErrorText } from "../../../shared/notifications";
import type { DeliveryResult } from "../../alerting/channels/kind";
import { sendTo } from "../../alerting/channels/send";
import type { User } from "../account/service";
import { resetLink } from "../reset/token";
import { cleanText } from "../security-log";
import { readInvitationMail } from "../teams/invitations/link";
import { verificationLink } from "../verification/link";
import { type Content, mailMessage } from "./content";

type Mail = typeof mails.$inferSelect;

/** Mails that are sent in one turn. */
const BATCH = 20;
/** Time until a mail that could not be sent is tried again, by the number of attempts; then the last one is repeated. */
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
/** How long a mail is of use to its reader. */
const OF_USE: Record<Mail["kind"], number> = {
  password_reset: HOUR,
  password_changed: DAY,
  invitation: DAY,
  factors_changed: DAY,
  factors_reset: DAY,
  email_verification: HOUR,
  new_place: DAY,
};

/** Whether links are sent by mail: they need the public address. */
export const mailsLinks = ({ config }: Pick<Deps, "config">): boolean =>
  config.mail !== null && config.publicUrl !== "";

/** Puts a mail to a user into the queue. Without a mail server, or an address of the user, it is left out. */
export const queueMail = async (
  { db, clock, config }: Pick<Deps, "db" | "clock" | "config">,
  { id: userId, email }: Pick<User, "id" | "email">,
  kind: Mail["kind"],
  detail: Mail["detail"] = null,
): Promise<void> => {
  if (!config.mail || !email) return;
  await db.insert(mails).values({ userId, kind, detail, createdAt: clock.now(), dueAt: clock.now() });
};

/** Puts the mail of an invitation into the queue. It is written in the language of the inviter. */
export const queueInvitation = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { id: invitationId, userId }: { id: number; userId: number },
): Promise<void> => {
  const times = { createdAt: clock.now(), dueAt: clock.now() };
  await db.insert(mails).values({ userId, invitationId, kind: "invitation", ...times });
};

type Sender = Pick<Deps, "config" | "clock" | "outbound">;

/** Sends a mail to a user by the mail server of the settings. */
const sendMail = (
  deps: Sender,
  { email, language }: Pick<User, "email" | "language">,
  content: Content,
  attempt: Parameters<typeof sendTo>[3],
): Promise<DeliveryResult> => {
  const reader = language ?? deps.config.defaultLanguage;
  const channel = { ...deps.config.mail, to: email ?? "" };
  const message = { ...mailMessage(reader, content), event: null, language: reader };
  return sendTo(deps, { type: "smtp", config: channel, owner: "operator" }, message, attempt);
};

/**
 * Sends a test mail to a user and returns what the mail server said.
 * @throws {AppError} mail_not_set_up, no_email, provider_refused
 */
export const sendTestMail = async (deps: Sender, user: User): Promise<string> => {
  if (!deps.config.mail) throw new AppError("mail_not_set_up");
  if (!user.email) throw new AppError("no_email");
  const attempt = { key: `wakeful-test-${crypto.randomUUID()}`, number: 1, since: deps.clock.now() };
  const result = await sendMail(deps, user, { kind: "test" }, attempt);
  if (result.sent) return result.reply;
  throw new AppError(
    "provider_refused",
    { reply: deliveryErrorText(result.error, "en-US") },
    { failure: result.error },
  );
};

type Composer = Pick<Deps, "db" | "config" | "clock" | "jwtSecret" | "installationId">;

/** The content and the recipient of a mail; null for an invitation that was accepted or revoked. */
const compose = async (
  deps: Composer,
  { kind, invitationId, detail, createdAt: at }: Mail,
  user: User,
): Promise<{ email: string | null; content: Content } | null> => {
  const { username, email, timeZone } = user;
  const { publicUrl } = deps.config;
  switch (kind) {
    case "password_reset":
      return { email, content: { kind, username, link: resetLink(deps, user) } };
    case "password_changed":
      return { email, content: { kind, username, link: publicUrl && `${publicUrl}/forgot` } };
    case "factors_changed":
    case "factors_reset":
      return { email, content: { kind, username } };
    case "email_verification":
      return { email, content: { kind, username, link: verificationLink(deps, user) } };
    case "new_place": {
      const { address, userAgent } = detail ?? { address: "", userAgent: "" };
      const link = publicUrl && `${publicUrl}/profile/sessions`;
      return { email, content: { kind, username, address: cleanText(address, 64), userAgent, at, timeZone, link } };
    }
    case "invitation": {
      const invitation = await readInvitationMail(deps, invitationId ?? 0);
      return invitation && { email: invitation.email, content: { kind, username, ...invitation } };
    }
  }
};

/** Takes a mail, so that no other instance sends it. False when another one has taken it. */
const claim = async ({ db, clock }: Pick<Deps, "db" | "clock">, { id, attempts }: Mail): Promise<boolean> => {
  const dueAt = clock.now() + (PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? HOUR);
  const claimed = await db
    .update(mails)
    .set({ dueAt, attempts: attempts + 1 })
    .where(and(eq(mails.id, id), eq(mails.attempts, attempts)))
    .returning({ id: mails.id });
  return claimed.length > 0;
};

/** Mails that wait to be sent. */
export const countWaiting = ({ db }: Pick<Deps, "db">): Promise<number> => db.$count(mails);

/** Sends the mails that are due. One that fails is tried again while it is of use. */
export const sendDueMails = async (deps: Composer & Pick<Deps, "outbound" | "log">): Promise<void> => {
  const { db, clock, config, log } = deps;
  if (!config.mail) return;
  const due = await db
    .select({ mail: mails, user: users })
    .from(mails)
    .innerJoin(users, eq(users.id, mails.userId))
    .where(lte(mails.dueAt, clock.now()))
    .orderBy(asc(mails.dueAt), asc(mails.id))
    .limit(BATCH);
  for (const { mail, user } of due) {
    if (!(await claim(deps, mail))) continue;
    const isOld = clock.now() - mail.createdAt > OF_USE[mail.kind];
    const attempt = { key: `wakeful-mail-${mail.id}`, number: mail.attempts + 1, since: mail.createdAt };
    const { email, content } = (isOld ? null : await compose(deps, mail, user)) ?? {};
    const result = email && content ? await sendMail(deps, { ...user, email }, content, attempt) : null;
    if (result?.sent === false)
      log.warn("a mail was not sent", { kind: mail.kind, error: describeError(result.error) });
    if (!result || result.sent || result.refused) await db.delete(mails).where(eq(mails.id, mail.id));
  }
};
