/**
 * The first steps of a new user: a tested channel, an alert rule, a server and a public page. Each is read from what the
 * account has, so that it does not matter where it was done, also by an import or by the API.
 */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, or } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { can, ownedBy, type Viewer } from "../../db/owner";
import { agents, channels, monitors, notificationRules, pageComponents, users } from "../../db/schema";
import { boolean, id, nullable, object, oneOf, text } from "../../server/answers";
import { DAY } from "../../shared/limits";

/** An account is established this long after its first monitor or server was added (ms), and needs no advice. */
const NEW_FOR = 14 * DAY;
/** Rules of a user that are read: one is enough, and most users have one for all of their monitors. */
const MAX_RULES = 100;

const Drill = object({
  type: oneOf("Whether it is a monitor or a server.", ["monitor", "agent"]),
  id: id("Its id.", 7),
  name: text("Its name.", "Shop"),
});

export const Checklist = nullable(
  object({
    channel: boolean("Whether there is a channel, and a provider has accepted a test message.", true),
    rule: boolean("Whether a notification rule is on that has channels or a policy.", false),
    server: boolean("Whether there is a server.", false),
    page: boolean("Whether the status page is published with something on it.", false),
    drill: nullable(Drill, null),
  }),
);

type Store = Pick<Deps, "db" | "config" | "clock">;
type User = typeof users.$inferSelect;
type Target = Static<typeof Drill>;

/** The oldest monitor and server of a team, by their ids: every poll of the dashboard reads them, and no index has the time. */
const readOldest = async ({ db }: Pick<Store, "db">, teamId: number) => {
  const [monitor] = await db
    .select({ id: monitors.id, name: monitors.name, createdAt: monitors.createdAt })
    .from(monitors)
    .where(ownedBy(monitors, teamId))
    .orderBy(asc(monitors.id))
    .limit(1);
  const [agent] = await db
    .select({ id: agents.id, name: agents.name, createdAt: agents.createdAt })
    .from(agents)
    .where(ownedBy(agents, teamId))
    .orderBy(asc(agents.id))
    .limit(1);
  return { monitor, agent };
};

/** The first rule of a user that sends anything, the one for all monitors before others. */
const readRule = async ({ db }: Pick<Store, "db">, teamId: number) => {
  const { targetType, targetId, channels, policyId, enabled, overrideGlobal } = notificationRules;
  const rules = await db
    .select({ type: targetType, id: targetId, channels, policyId })
    .from(notificationRules)
    .where(and(ownedBy(notificationRules, teamId), eq(enabled, true), or(eq(targetId, 0), eq(overrideGlobal, true))))
    .orderBy(asc(targetId))
    .limit(MAX_RULES);
  return rules.find((rule) => rule.channels.length > 0 || rule.policyId !== null);
};

/** A target of a rule to try it on: the only one it is for, or the oldest of all. */
const readDrillTarget = async (
  { db }: Pick<Store, "db">,
  teamId: number,
  rule: Awaited<ReturnType<typeof readRule>>,
  oldest: Awaited<ReturnType<typeof readOldest>>,
): Promise<Target | null> => {
  if (!rule) return null;
  const { type } = rule;
  const table = type === "monitor" ? monitors : agents;
  const read = () =>
    db
      .select({ id: table.id, name: table.name })
      .from(table)
      .where(and(ownedBy(table, teamId), eq(table.id, rule.id)));
  const found = rule.id === 0 ? oldest[type] : (await read())[0];
  return found ? { type, id: found.id, name: found.name } : null;
};

/**
 * The checklist of a user; null before the first monitor or server, once it is hidden or everything is done, and for
 * established accounts.
 */
export const readChecklist = async (store: Store, user: User & Viewer): Promise<Static<typeof Checklist>> => {
  if (user.checklistHiddenAt !== null || !can(user, "edit", user)) return null;
  const { db, config, clock } = store;
  const oldest = await readOldest(store, user.teamId);
  const began = Math.min(...[oldest.monitor, oldest.agent].flatMap((target) => target?.createdAt ?? []));
  if (clock.now() - began > NEW_FOR || began === Number.POSITIVE_INFINITY) return null;
  const hasBuiltIn = user.role === "admin" && config.telegramDefault !== null;
  const on =
    hasBuiltIn || (await db.$count(channels, and(ownedBy(channels, user.teamId), eq(channels.enabled, true)))) > 0;
  const rule = await readRule(store, user.teamId);
  const done = {
    channel: on && user.channelTestedAt !== null,
    rule: rule !== undefined,
    server: oldest.agent !== undefined,
    page: (await db.$count(pageComponents, ownedBy(pageComponents, user.teamId))) > 0,
  };
  const canDrill = done.channel && user.drilledAt === null;
  const drill = canDrill ? await readDrillTarget(store, user.teamId, rule, oldest) : null;
  return !drill && Object.values(done).every(Boolean) ? null : { ...done, drill };
};

/** Hides the checklist of a user for good. */
export const hideChecklist = async ({ db, clock }: Store, { id: userId }: User): Promise<void> => {
  await db.update(users).set({ checklistHiddenAt: clock.now() }).where(eq(users.id, userId));
};
