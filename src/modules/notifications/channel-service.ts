import { and, asc, eq } from "drizzle-orm";
import { channels, deliveries, users } from "../../db/schema";
import type { Deps } from "../../deps";
import { AppError, notFound, validation } from "../../errors";
import type { ChannelType, Language } from "../../shared/alerts";
import { isoTime } from "../../shared/time";
import { BUILT_IN_ID, builtInChannel } from "./built-in";
import type { ChannelConfig } from "./channels/channel";
import { channelKinds } from "./channels/kinds";
import { linkBase } from "./deliver";
import { testMessage } from "./messages";
import type { ChannelBody } from "./model";
import { sendTo } from "./send";

type Owner = { id: number; role: "admin" | "user" };
type Row = typeof channels.$inferSelect;

const MASK = "••••";
/** Enough of it to tell which one it is, and of a short one nothing. */
const mask = (secret: string) => `${MASK}${secret.length > 8 ? secret.slice(-4) : ""}`;

/** Every kind's: a configuration may hold fields that were left over from another kind. */
const SECRETS = new Set(Object.values(channelKinds).flatMap(({ secrets }) => secrets));

const masked = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(
    Object.entries(config).map(([field, value]) => [field, SECRETS.has(field) && value ? mask(value) : value]),
  );

/** What was sent, with the stored secret wherever its mask came back. A mask of anything else is no secret at all. */
const unmasked = (sent: ChannelConfig, stored: ChannelConfig | undefined): ChannelConfig =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => {
      const kept = SECRETS.has(field) ? stored?.[field] : undefined;
      if (kept !== undefined && value === mask(kept)) return [field, kept];
      return [field, SECRETS.has(field) && value.startsWith(MASK) ? "" : value.trim()];
    }),
  );

const present = ({ id, name, type, config, enabled, problem, createdAt, updatedAt }: Row) => ({
  id,
  name,
  type,
  config: masked(config),
  enabled,
  default: false,
  problem,
  created_at: isoTime(createdAt) as string | null,
  updated_at: isoTime(updatedAt) as string | null,
});

/** The built-in channel is the administrators'. */
const builtInOf = ({ config }: Pick<Deps, "config">, { role }: Owner) =>
  role === "admin" ? builtInChannel(config) : null;

/** A user's channels, their secrets masked; administrators also see the built-in one. */
export const listChannels = async (deps: Deps, owner: Owner) => {
  const rows = await deps.db.select().from(channels).where(eq(channels.userId, owner.id)).orderBy(asc(channels.id));
  const builtIn = builtInOf(deps, owner);
  const first = builtIn && {
    ...builtIn,
    config: masked(builtIn.config),
    default: true,
    problem: null,
    created_at: null,
    updated_at: null,
  };
  return [...(first ? [first] : []), ...rows.map(present)];
};

export const findChannel = async ({ db }: Pick<Deps, "db">, owner: Owner, id: number): Promise<Row> => {
  const [row] = await db
    .select()
    .from(channels)
    .where(and(eq(channels.id, id), eq(channels.userId, owner.id)));
  if (!row) throw notFound("Channel");
  return row;
};

const parseConfig = (sent: ChannelBody["config"]): ChannelConfig => {
  if (typeof sent !== "string") return sent;
  try {
    const value: unknown = JSON.parse(sent);
    if (typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string")) {
      return value as ChannelConfig;
    }
  } catch {}
  throw validation([{ path: "config", message: "config: expected an object of names and texts" }]);
};

const SENTENCES: Record<string, string> = {
  name_required: "A name is required",
  bot_token_required: "The bot token is required",
  bot_token_invalid: "The bot token's format is invalid",
  chat_id_required: "The chat id is required",
  api_key_required: "The API key is required",
  api_key_invalid: "The API key's format is invalid",
  sender_required: "The sender is required",
  sender_invalid: "The sender's format is invalid: expected an address, or Name <address>",
  recipient_required: "A recipient is required",
  recipient_invalid: "A recipient is not an e-mail address",
};

/** @throws {AppError} validation, or the code of the one thing that is wrong */
const checkConfig = (
  type: string,
  config: ChannelConfig,
  name?: string,
): { type: ChannelType; config: ChannelConfig } => {
  const kind = Object.hasOwn(channelKinds, type) ? channelKinds[type as ChannelType] : undefined;
  if (!kind) throw validation([{ path: "type", message: "type: this kind of channel cannot be used yet" }]);
  const problems = { ...(name?.trim() === "" && { name: "name_required" }), ...kind.problems(config) };
  const entries = Object.entries(problems);
  if (entries.length > 0) {
    const errors = entries.map(([path, code]) => ({ path, message: SENTENCES[code] ?? code, code }));
    throw new AppError(422, "validation", `${errors.map(({ message }) => message).join("; ")}.`, { errors });
  }
  return { type: type as ChannelType, config };
};

/** Stores a new channel, or a change of one. Gives its id. */
export const saveChannel = async (deps: Deps, owner: Owner, body: ChannelBody, stored?: Row): Promise<number> => {
  const sent = unmasked(parseConfig(body.config), stored?.type === body.type ? stored.config : undefined);
  const { type, config } = checkConfig(body.type, sent, body.name);
  const now = deps.clock.now();
  const enabled = Boolean(body.enabled ?? stored?.enabled ?? true);
  const values = { name: body.name.trim(), type, config, enabled, problem: null, updatedAt: now };
  if (stored) {
    await deps.db.update(channels).set(values).where(eq(channels.id, stored.id));
    return stored.id;
  }
  const [row] = await deps.db
    .insert(channels)
    .values({ ...values, userId: owner.id, createdAt: now })
    .returning({ id: channels.id });
  return Number(row?.id);
};

/** Deletes a channel. What was still on its way there ends. */
export const deleteChannel = async ({ db, clock }: Pick<Deps, "db" | "clock">, { id }: Row): Promise<void> => {
  const ended = {
    state: "failed" as const,
    error: "the channel was deleted",
    nextAttemptAt: null,
    endedAt: clock.now(),
  };
  await db.atomically((tx) => [
    tx
      .update(deliveries)
      .set(ended)
      .where(and(eq(deliveries.channelId, id), eq(deliveries.state, "pending"))),
    tx.delete(channels).where(eq(channels.id, id)),
  ]);
};

/** Sends a test message, and gives what the provider said. */
const sendTest = async (deps: Deps, owner: Owner, type: ChannelType, config: ChannelConfig): Promise<string> => {
  const [user] = await deps.db.select({ language: users.language }).from(users).where(eq(users.id, owner.id));
  const message = testMessage((user?.language ?? "zh-CN") as Language, await linkBase(deps));
  const answer = await sendTo({ type, config }, message, `wakeful-test-${crypto.randomUUID()}`, deps.config);
  if (!answer.sent) throw new AppError(502, "provider_refused", `The provider said: ${answer.said}`);
  return answer.said;
};

/** @throws {AppError} not_found, provider_refused */
export const testStored = async (deps: Deps, owner: Owner, id: number): Promise<string> => {
  const builtIn = id === BUILT_IN_ID ? builtInOf(deps, owner) : null;
  const { type, config } = builtIn ?? (await findChannel(deps, owner, id));
  return sendTest(deps, owner, type as ChannelType, config);
};

export const testUnsaved = async (
  deps: Deps,
  owner: Owner,
  body: { id?: number; type: string; config: ChannelBody["config"] },
): Promise<string> => {
  const stored = body.id === undefined ? undefined : await findChannel(deps, owner, body.id);
  const sent = unmasked(parseConfig(body.config), stored?.type === body.type ? stored.config : undefined);
  const { type, config } = checkConfig(body.type, sent);
  return sendTest(deps, owner, type, config);
};
