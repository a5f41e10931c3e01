import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { messageTemplates } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { isClosing } from "../../../shared/notifications";
import { checkTemplate, templateProblemText } from "../../../shared/template/template";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { findChannel } from "../channels/service";
import { renderMessage, type TextFormat } from "../channels/text";
import { type Reader, zoneOf } from "../messages/format";
import { linkBase, messageOf } from "../messages/message";
import { requireVersion } from "../version";
import { renderMessageBy } from "./apply";
import { exampleOf } from "./built-in";
import type { OwnTemplate, Preview, PreviewBody, TemplateBody, TextsBody } from "./model";
import { valuesOf } from "./values";

/** The address of the hub in previews while none is known. */
const EXAMPLE_BASE = "https://wakeful.example.com";
const PLAIN: TextFormat = { flavour: "plain", limit: 20_000 };

type Row = typeof messageTemplates.$inferSelect;

/** Errors in the texts of a template, by field, each with its place. */
export const templateProblems = ({ title, body }: TextsBody): (FieldError & { code: string })[] => [
  ...(title.trim() === "" ? [{ path: "title", message: "title: a title is required", code: "title_required" }] : []),
  ...Object.entries({ title, body }).flatMap(([path, text]) =>
    checkTemplate(text).map((problem) => {
      const { code, line, column } = problem;
      return { path, message: `${path}: ${templateProblemText(problem, "en-US")}`, code, line, column };
    }),
  ),
];

const checkTexts = (body: TextsBody): void => {
  const problems = templateProblems(body);
  if (problems.length > 0) throw validation(problems);
};

const present = ({ id, channelId, event, title, body, updatedAt }: Row): Static<typeof OwnTemplate> => ({
  id,
  channel_id: channelId,
  event,
  title,
  body,
  updated_at: isoTime(updatedAt),
});

/** The rows of a user. */
export const readOwn = ({ db }: Pick<Deps, "db">, owner: Viewer): Promise<Row[]> =>
  db
    .select()
    .from(messageTemplates)
    .where(ownedBy(messageTemplates, owner.teamId))
    .orderBy(asc(messageTemplates.id))
    .limit(TEMPLATE_LIMITS.perUser);

/** The templates that a user has written. */
export const listOwnTemplates = async (deps: Pick<Deps, "db">, owner: Viewer): Promise<Static<typeof OwnTemplate>[]> =>
  (await readOwn(deps, owner)).map(present);

/** The place of a template: a channel or all, and a kind of event or every one. */
type Place = { channelId: number | null; event: Row["event"] };

/**
 * Asserts within a transaction that a user has no template for a place yet, and may have one more.
 * @throws {AppError} template_exists, too_many_templates
 */
const requirePlace = async (tx: Database, owner: Viewer, { channelId, event }: Place): Promise<void> => {
  await lockOwner(tx, madeBy(owner));
  const own = await readOwn({ db: tx }, owner);
  if (own.some((one) => one.channelId === channelId && one.event === event)) throw new AppError("template_exists");
  if (own.length >= TEMPLATE_LIMITS.perUser)
    throw new AppError("too_many_templates", { limit: TEMPLATE_LIMITS.perUser });
};

/**
 * Stores a new template, and returns its id.
 * @throws {AppError} validation, not_found, template_exists, too_many_templates
 */
export const createTemplate = async (deps: Deps, owner: Viewer, sent: TemplateBody): Promise<number> => {
  const { channel_id: channelId = null, event = null, title, body } = sent;
  checkTexts(sent);
  const isBuiltIn = channelId === BUILT_IN_ID && builtInChannel(deps.config, owner.role) !== null;
  return deps.db.transact(async (tx) => {
    await requirePlace(tx, owner, { channelId, event });
    if (channelId !== null && !isBuiltIn) await findChannel({ db: tx }, owner, channelId);
    const values = { channelId, event, title, body, ...madeBy(owner), updatedAt: deps.clock.now() };
    const [row] = await tx.insert(messageTemplates).values(values).returning();
    await recordChange({ ...deps, db: tx }, owner, { action: "created", ...logged(row as Row), after: { event } });
    return (row as Row).id;
  });
};

const logged = ({ id, event, teamId }: Row) => ({
  object: { type: "template" as const, id, name: event ?? "" },
  teamId,
});

const ownTemplate = (owner: Viewer, id: number) =>
  and(eq(messageTemplates.id, id), ownedBy(messageTemplates, owner.teamId));

/** @throws {AppError} validation, not_found, rule_changed when it is of another version than the one sent */
export const updateTemplate = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  owner: Viewer,
  id: number,
  sent: TextsBody,
): Promise<void> => {
  const { title, body, version } = sent;
  checkTexts(sent);
  const values = { title, body, updatedAt: deps.clock.now() };
  await deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const [stored] = await tx.select().from(messageTemplates).where(ownTemplate(owner, id));
    if (!stored) throw notFound("Template");
    await requireVersion(stored, version, async () => present(stored));
    await tx.update(messageTemplates).set(values).where(ownTemplate(owner, id));
    const before = { title: stored.title, body: stored.body };
    await recordChange({ ...deps, db: tx }, owner, {
      action: "changed",
      ...logged(stored),
      before,
      after: { title, body },
    });
  });
};

/** @throws {AppError} not_found */
export const deleteTemplate = (deps: Pick<Deps, "db" | "clock" | "log">, owner: Viewer, id: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const [deleted] = await tx.delete(messageTemplates).where(ownTemplate(owner, id)).returning();
    if (!deleted) throw notFound("Template");
    await recordChange({ ...deps, db: tx }, owner, { action: "deleted", ...logged(deleted) });
  });

/**
 * A template with the values of an example event; without a kind, of a monitor that is down.
 * @throws {AppError} validation
 */
export const previewTemplate = async (deps: Deps, user: Reader, sent: PreviewBody): Promise<Static<typeof Preview>> => {
  const reader = { ...user, language: sent.language ?? user.language };
  checkTexts(sent);
  const base = (await linkBase(deps)) || EXAMPLE_BASE;
  const kind = sent.event ?? "down";
  const acknowledgeLink = isClosing(kind) ? null : `${base}/acknowledge`;
  const subject = { ...exampleOf(kind, deps.clock.now()), acknowledgeLink };
  const builtIn = messageOf(subject, reader, base);
  const values = valuesOf(subject, builtIn, reader);
  const message = renderMessageBy(sent, builtIn, values, zoneOf(reader));
  const lines = renderMessage(message, PLAIN)
    .body.split("\n")
    .filter((line, index) => index > 0 || line !== "");
  const texts = Object.entries(values).flatMap(([name, value]) => (value ? [[name, value.text]] : []));
  return { title: message.title, lines, values: Object.fromEntries(texts) };
};
