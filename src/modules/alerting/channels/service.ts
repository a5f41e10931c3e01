import type { Static } from "@sinclair/typebox";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound } from "../../../core/errors";
import { madeBy, ownedBy, seesSecrets, type Viewer } from "../../../db/owner";
import { channels, deliveries, messageTemplates, users } from "../../../db/schema";
import { lock, lockAlerts, lockRows } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { LocalFailure } from "../../../probe/local-failure";
import { boolean, component, errorDetail, integer, nullable, oneOf, record, text, time } from "../../../server/answers";
import type { ChannelConfig } from "../../../shared/channel-fields";
import { LIMITS } from "../../../shared/limits";
import { CONDITION_WORDS } from "../../../shared/monitor";
import { DELIVERY_ERROR_CODES, type DeliveryError, deliveryErrorText } from "../../../shared/notifications";
import { type Author, recordChange } from "../../accounts/audit/record";
import type { CountOwned } from "../../accounts/owned";
import { requireRoom } from "../../accounts/quotas/service";
import { lastResultField, readLastResults } from "../history/last-results";
import { readerOf } from "../messages/format";
import { linkBase } from "../messages/message";
import type { ChannelBody } from "../model";
import { composeTest } from "../templates/apply";
import { assertComplete, checkConfig, destinationHost, masked } from "./config";
import { BUILT_IN_ID, builtInChannel, channelKinds, channelTypes } from "./registry";
import { sendTo } from "./send";

type Row = typeof channels.$inferSelect;

export const Channel = component("Channel", {
  id: integer("The channel's id; 0 is the built-in one.", 2),
  name: text("Its name.", "On call"),
  type: oneOf("Its kind.", channelTypes()),
  config: record(text("A secret is masked except for its end.", "••••6789"), "Its configuration.", "botToken"),
  enabled: boolean("Whether it is used.", true),
  default: boolean("Whether it is the built-in one, which can't be changed.", false),
  problem: nullable(
    text("Why the provider refuses messages permanently, until one is delivered again.", "401: Unauthorized"),
    null,
  ),
  problem_code: nullable(oneOf("The cause, as a code that never changes.", DELIVERY_ERROR_CODES), null),
  problem_detail: nullable(errorDetail(401, "status"), null),
  last_result: lastResultField,
  created_at: nullable(time("When it was created; null for the built-in one.")),
  updated_at: nullable(time("When it was last changed.")),
});

const present = (
  { id, name, type, config, enabled, createdAt, updatedAt, ...row }: Row,
  reads: boolean,
): Omit<Static<typeof Channel>, "last_result"> => ({
  id,
  name,
  type,
  config: masked({ type, config }, reads),
  enabled,
  default: false,
  ...presentProblem(storedProblem(row)),
  created_at: isoTime(createdAt),
  updated_at: isoTime(updatedAt),
});

const storedProblem = ({ problemCode: code, problemDetail: detail }: Pick<Row, "problemCode" | "problemDetail">) =>
  code === null ? null : { code, detail };

const presentProblem = (problem: DeliveryError | null) => ({
  problem: problem && deliveryErrorText(problem, "en-US"),
  problem_code: problem?.code ?? null,
  problem_detail: problem?.detail ?? null,
});

/** A team's channels with their secrets masked. Administrators also see the built-in one. */
export const listChannels = async (deps: Deps, owner: Viewer): Promise<Static<typeof Channel>[]> => {
  const rows = await deps.db
    .select()
    .from(channels)
    .where(ownedBy(channels, owner.teamId))
    .orderBy(asc(channels.id))
    .limit(LIMITS.listed);
  const builtIn = builtInChannel(deps.config, owner.role);
  const first = builtIn && {
    ...builtIn,
    config: masked(builtIn),
    default: true,
    ...presentProblem(null),
    created_at: null,
    updated_at: null,
  };
  const listed = [...(first ? [first] : []), ...rows.map((row) => present(row, !seesSecrets(owner, row)))];
  const lastResultOf = await readLastResults(
    deps,
    owner.teamId,
    listed.map(({ id }) => id),
  );
  return listed.map((channel) => ({ ...channel, last_result: lastResultOf(channel.id) }));
};

/** The ids of the channels that a user may choose: their own, and the built-in one. */
export const choosableChannels = async (
  { db, config }: Pick<Deps, "db" | "config">,
  { teamId, role }: Pick<Viewer, "teamId" | "role">,
): Promise<Set<number>> => {
  const own = await db.select({ id: channels.id }).from(channels).where(ownedBy(channels, teamId));
  const builtIn = builtInChannel(config, role) !== null ? [BUILT_IN_ID] : [];
  return new Set([...builtIn, ...own.map((channel) => channel.id)]);
};

export const findChannel = async ({ db }: Pick<Deps, "db">, owner: Viewer, id: number): Promise<Row> => {
  const [row] = await db
    .select()
    .from(channels)
    .where(and(eq(channels.id, id), ownedBy(channels, owner.teamId)));
  if (!row) throw notFound("Channel");
  return row;
};

/** A channel in the log of changes: each field of its configuration is one, and none of them is shown. */
const factsOf = ({ config, name, type, enabled }: Pick<Row, "config" | "name" | "type" | "enabled">) => ({
  ...config,
  ...{ name, type, enabled },
});

const objectOf = ({ id, name }: Pick<Row, "id" | "name">) => ({ type: "channel" as const, id, name });

/**
 * Stores a new channel, or a change of one. Returns its id.
 * @throws {AppError} validation, quota_reached, not_found when it was deleted since
 */
export const saveChannel = async (deps: Deps, owner: Viewer, body: ChannelBody, stored?: Row): Promise<number> => {
  const config = checkConfig(body, owner.role, stored);
  const { type } = body;
  const now = deps.clock.now();
  const enabled = Boolean(body.enabled ?? stored?.enabled ?? true);
  const name = body.name.trim();
  const sent = { name, type, config, enabled };
  if (stored) {
    await deps.db.transact(async (tx) => {
      await lock(tx, lockRows(channels, channels.id, eq(channels.id, stored.id)));
      const [before] = await tx.select().from(channels).where(eq(channels.id, stored.id));
      if (!before) throw notFound("Channel");
      // Their role decides where it may send to.
      const userId = Bun.deepEquals(config, before.config) ? before.userId : owner.id;
      const values = { ...sent, userId, problemCode: null, problemDetail: null, updatedAt: now };
      await tx.update(channels).set(values).where(eq(channels.id, stored.id));
      const changed = { action: "changed" as const, object: objectOf({ ...before, name }), teamId: before.teamId };
      const facts = { before: factsOf(before), after: factsOf(sent) };
      await recordChange({ ...deps, db: tx }, owner, { ...changed, ...facts });
    });
    return stored.id;
  }
  const values = { ...madeBy(owner), ...sent, createdAt: now, updatedAt: now };
  return deps.db.transact(async (tx) => {
    await requireRoom({ ...deps, db: tx }, "channels", madeBy(owner));
    const [row] = await tx.insert(channels).values(values).returning({ id: channels.id });
    const { id } = row as Pick<Row, "id">;
    await recordChange({ ...deps, db: tx }, owner, {
      ...{ action: "created", object: objectOf({ id, name }), teamId: owner.teamId, after: { type } },
      event: { kind: "channel_created", detail: name },
    });
    return id;
  });
};

/** Deletes a channel with its templates. Its pending deliveries fail. */
export const deleteChannel = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  { id, name, teamId }: Row,
  author: Author,
): Promise<void> => {
  const ended = {
    state: "failed" as const,
    errorCode: "channel_deleted" as const,
    errorDetail: null,
    nextAttemptAt: null,
    endedAt: deps.clock.now(),
  };
  await deps.db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    await tx
      .update(deliveries)
      .set(ended)
      .where(and(eq(deliveries.channelId, id), eq(deliveries.state, "pending")));
    await tx.delete(messageTemplates).where(eq(messageTemplates.channelId, id));
    const deleted = await tx.delete(channels).where(eq(channels.id, id)).returning({ id: channels.id });
    if (deleted.length === 0) return;
    await recordChange({ ...deps, db: tx }, author, {
      ...{ action: "deleted", object: objectOf({ id, name }), teamId },
      event: { kind: "channel_deleted", detail: name },
    });
  });
};

/** The names of a team's channels, for the log of changes. */
export const readChannelNames = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
): Promise<(ids: readonly number[]) => string[]> => {
  const rows = await db
    .select({ id: channels.id, name: channels.name })
    .from(channels)
    .where(ownedBy(channels, teamId));
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (ids) => ids.map((id) => names.get(id) ?? String(id));
};

type Tested = { id?: number; type: string; config: ChannelConfig };

/** Sends a test message and returns the provider's answer. */
const sendTest = async (deps: Deps, owner: Viewer, { type, config }: Tested): Promise<string> => {
  const columns = { language: users.language, timeZone: users.timeZone, channelTestedAt: users.channelTestedAt };
  const [user] = await deps.db.select(columns).from(users).where(eq(users.id, owner.id));
  const message = composeTest(readerOf(deps, user), await linkBase(deps), deps.clock.now());
  const attempt = { key: `wakeful-test-${crypto.randomUUID()}`, number: 1, since: deps.clock.now() };
  const answer = await sendTo(deps, { type, config, owner }, message, attempt).catch((error) => {
    throw error instanceof LocalFailure
      ? new AppError("hub_unavailable", { reason: CONDITION_WORDS[error.condition] })
      : error;
  });
  if (!answer.sent) {
    const { error } = answer;
    throw new AppError("provider_refused", { reply: deliveryErrorText(error, "en-US") }, { failure: error });
  }
  if (user?.channelTestedAt === null)
    await deps.db.update(users).set({ channelTestedAt: deps.clock.now() }).where(eq(users.id, owner.id));
  return answer.reply;
};

const sendLimited = (deps: Deps, owner: Viewer, tested: Tested): Promise<string> => {
  const to = { channelId: tested.id ?? BUILT_IN_ID, host: destinationHost(tested) };
  return deps.trials.send(owner, to, () => {
    if (tested.id !== undefined) deps.sentMessages.count(tested.id, channelKinds.get(tested.type)?.budget ?? []);
    return sendTest(deps, owner, tested);
  });
};

/** @throws {AppError} not_found, validation, test_too_soon, rate_limited, provider_refused */
export const testStored = async (deps: Deps, owner: Viewer, id: number): Promise<string> => {
  const builtIn = id === BUILT_IN_ID ? builtInChannel(deps.config, owner.role) : null;
  const channel = builtIn ?? (await findChannel(deps, owner, id));
  assertComplete(channel, owner.role);
  return sendLimited(deps, owner, { ...channel, id });
};

export const testUnsaved = async (
  deps: Deps,
  owner: Viewer,
  body: { id?: number; type: string; config: ChannelBody["config"] },
): Promise<string> => {
  const stored = body.id === undefined ? undefined : await findChannel(deps, owner, body.id);
  return sendLimited(deps, owner, { type: body.type, config: checkConfig(body, owner.role, stored) });
};

/** A subquery for how many channels a user has. */
export const countChannels: CountOwned = (teamId) =>
  sql`(select count(*) from ${channels} where ${ownedBy(channels, teamId)})`;
