import type { Static } from "@sinclair/typebox";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import { ownedBy } from "../../../db/owner";
import { messageTemplates } from "../../../db/schema";
import { withValues } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { isClosing } from "../../../shared/notifications";
import { checkTemplate, templateProblemText } from "../../../shared/template/template";
import { TEMPLATE_LIMITS } from "../../../shared/template/variables";
import { lockQuotas } from "../../quotas/service";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { findChannel } from "../channels/service";
import { renderMessage, type TextFormat } from "../channels/text";
import { type Reader, zoneOf } from "../messages/format";
import { linkBase, messageOf } from "../messages/message";
import { renderMessageBy } from "./apply";
import { exampleOf } from "./built-in";
import type { OwnTemplate, Preview, PreviewBody, TemplateBody, TextsBody } from "./model";
import { valuesOf } from "./values";

/** The address of the hub in previews while none is known. */
const EXAMPLE_BASE = "https://wakeful.example.com";
const PLAIN: TextFormat = { flavour: "plain", limit: 20_000 };

type Owner = { id: number; role: "admin" | "user" };
type Row = typeof messageTemplates.$inferSelect;

/** What is wrong with the texts of a template, by field, each with its place. */
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
export const readOwn = ({ db }: Pick<Deps, "db">, owner: Owner): Promise<Row[]> =>
  db
    .select()
    .from(messageTemplates)
    .where(ownedBy(messageTemplates, owner.id))
    .orderBy(asc(messageTemplates.id))
    .limit(TEMPLATE_LIMITS.perUser);

/** The templates that a user has written. */
export const listOwnTemplates = async (deps: Pick<Deps, "db">, owner: Owner): Promise<Static<typeof OwnTemplate>[]> =>
  (await readOwn(deps, owner)).map(present);

/** The columns of new rows. */
export const COLUMNS = { channel_id: "bigint", event: "text", title: "text", body: "text" } as const;

/** The condition that a user has no template for the place of `given` yet, and may have one more. */
export const hasPlace = (owner: { id: number }) => sql`
  (select count(*) from ${messageTemplates} as own where own.user_id = ${owner.id}) < ${TEMPLATE_LIMITS.perUser}
  and not exists (select 1 from ${messageTemplates} as own where own.user_id = ${owner.id}
    and coalesce(own.channel_id, -1) = coalesce(given.channel_id, -1)
    and coalesce(own.event, '') = coalesce(given.event, ''))`;

/**
 * Stores a new template, and returns its id.
 * @throws {AppError} validation, not_found, template_exists, too_many_templates
 */
export const createTemplate = async (deps: Deps, owner: Owner, sent: TemplateBody): Promise<number> => {
  const { channel_id: channel = null, event = null, title, body } = sent;
  checkTexts(sent);
  const isBuiltIn = channel === BUILT_IN_ID && builtInChannel(deps.config, owner.role) !== null;
  if (channel !== null && !isBuiltIn) await findChannel(deps, owner, channel);
  const results = await deps.db.atomically(() => [
    // Concurrent calls for the same place come one after another.
    ...lockQuotas(owner.id),
    sql`${withValues("given", COLUMNS, [[channel, event, title, body]])}
      insert into ${messageTemplates} (channel_id, event, title, body, user_id, updated_at)
      select channel_id, event, title, body, cast(${owner.id} as bigint), cast(${deps.clock.now()} as bigint)
      from given where ${hasPlace(owner)} returning id`,
  ]);
  const [row] = results.at(-1) as { id: number }[];
  if (row) return Number(row.id);
  const count = await deps.db.$count(messageTemplates, ownedBy(messageTemplates, owner.id));
  if (count < TEMPLATE_LIMITS.perUser) throw new AppError("template_exists");
  throw new AppError("too_many_templates", { limit: TEMPLATE_LIMITS.perUser });
};

const ownTemplate = (owner: Owner, id: number) => and(eq(messageTemplates.id, id), ownedBy(messageTemplates, owner.id));

/** @throws {AppError} validation, not_found */
export const updateTemplate = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  owner: Owner,
  id: number,
  sent: TextsBody,
): Promise<void> => {
  const { title, body } = sent;
  checkTexts(sent);
  const values = { title, body, updatedAt: clock.now() };
  const changed = await db.update(messageTemplates).set(values).where(ownTemplate(owner, id)).returning();
  if (changed.length === 0) throw notFound("Template");
};

/** @throws {AppError} not_found */
export const deleteTemplate = async ({ db }: Pick<Deps, "db">, owner: Owner, id: number): Promise<void> => {
  const deleted = await db.delete(messageTemplates).where(ownTemplate(owner, id)).returning();
  if (deleted.length === 0) throw notFound("Template");
};

/**
 * A template with the values of an example event; without a kind, of a monitor that is down.
 * @throws {AppError} validation
 */
export const previewTemplate = async (
  deps: Deps,
  reader: Reader,
  sent: PreviewBody,
): Promise<Static<typeof Preview>> => {
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
