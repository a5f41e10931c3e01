/** Alert policies of a user: read, saved and deleted. The delivery of alerts follows them, see ../delivery. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, type FieldError, notFound, validation } from "../../../core/errors";
import type { Database } from "../../../db/database";
import { madeBy, ownedBy, type Viewer } from "../../../db/owner";
import { alertPolicies, escalations, notificationRules, outages } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { component, id, integer, list, nullable, object, oneOf, text, time } from "../../../server/answers";
import {
  type AlertPolicy,
  POLICY_LIMITS,
  policyProblems,
  policyProblemText,
  QUIET_MODES,
  type QuietHours,
  type Weekday,
} from "../../../shared/alert-policy";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { choosableChannels } from "../channels/service";
import { requireVersion } from "../version";
import type { PolicyBody } from "./model";

type Row = typeof alertPolicies.$inferSelect;
type NamedPolicy = AlertPolicy & { name: string };

/** Seconds that messages wait for others where a policy does not say it. */
const DEFAULT_GROUP_SECONDS = 10;

const channelId = integer("A channel's id; 0 is the built-in one.", 2);

export const quietFields = {
  days: list(integer("A day on which they start: 1 for Monday to 7 for Sunday.", 1)),
  from: text("When they start, as HH:mm.", "22:00"),
  to: text("When they end, as HH:mm.", "07:00"),
  time_zone: text("The IANA name of their time zone.", "Europe/Berlin"),
  mode: oneOf("Whether messages are held until they end, or not sent.", QUIET_MODES),
};

/** The fields of a policy in answers and exported files. */
export const policyFields = {
  name: text("Its name.", "Night"),
  steps: list(
    object({
      after_minutes: integer("How long the outage has lasted, in minutes.", 0),
      channels: list(channelId, "The channels that are notified."),
    }),
    "Who is notified, and when.",
  ),
  repeat_minutes: integer("Minutes between reminders; 0 for none.", 30),
  repeat_max: integer(`Reminders for one outage at most; 0 allows ${POLICY_LIMITS.repeatMax}.`, 5),
  quiet: nullable(object(quietFields)),
  group_seconds: integer("Seconds that a message waits for others, to be sent as one.", 10),
};

export const Policy = component("Policy", {
  id: id("The policy's id.", 4),
  ...policyFields,
  deleted_channels: list(channelId, "Those of its channels that do not exist any more, and are skipped.", []),
  used_by: integer("How many notification settings use it.", 2),
  needed_by: integer("How many of these are switched on without a channel, and send nothing without the policy.", 0),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
});

/** Quiet hours as the API shows them. */
export const presentQuiet = ({ timeZone, ...quiet }: QuietHours) => ({
  days: quiet.days,
  from: quiet.from,
  to: quiet.to,
  time_zone: timeZone,
  mode: quiet.mode,
});

/** A policy as the API shows and exports it. */
export const presentPolicy = ({ name, steps, repeatMinutes, repeatMax, quiet, groupSeconds }: NamedPolicy) => ({
  name,
  steps: steps.map(({ afterMinutes, channels }) => ({ after_minutes: afterMinutes, channels })),
  repeat_minutes: repeatMinutes,
  repeat_max: repeatMax,
  quiet: quiet && presentQuiet(quiet),
  group_seconds: groupSeconds,
});

/** A policy as it was sent. Days and the channels of a step come in order and once. */
export const policyOf = (body: PolicyBody): NamedPolicy => ({
  name: body.name.trim(),
  steps: body.steps.map(({ after_minutes, channels }) => ({
    afterMinutes: after_minutes,
    channels: [...new Set(channels)],
  })),
  repeatMinutes: body.repeat_minutes ?? 0,
  repeatMax: body.repeat_max ?? 0,
  quiet: body.quiet
    ? {
        days: body.quiet.days.toSorted((one, other) => one - other) as Weekday[],
        from: body.quiet.from,
        to: body.quiet.to,
        timeZone: body.quiet.time_zone,
        mode: body.quiet.mode,
      }
    : null,
  groupSeconds: body.group_seconds ?? DEFAULT_GROUP_SECONDS,
});

/** A policy without the channels that do not exist. */
export const withChannels = ({ steps, ...policy }: NamedPolicy, ownChannels: ReadonlySet<number>): NamedPolicy => ({
  ...policy,
  steps: steps.map((step) => ({ ...step, channels: step.channels.filter((id) => ownChannels.has(id)) })),
});

/** Errors of a policy, as the API answers them. */
export const policyErrors = (policy: NamedPolicy): (FieldError & { code: string })[] =>
  policyProblems(policy).map(({ path, code }) => ({ path, message: `${path}: ${policyProblemText(code)}`, code }));

type Uses = { used: number; needed: number };

/** How many rules of a user use each policy, and how many of these are switched on without a channel. */
const countUses = async ({ db }: Pick<Deps, "db">, owner: Viewer): Promise<Map<number | null, Uses>> => {
  const { policyId, enabled, channels } = notificationRules;
  const rows = await db
    .select({ policyId, enabled, channels })
    .from(notificationRules)
    .where(and(ownedBy(notificationRules, owner.teamId), isNotNull(policyId)));
  const isNeeded = (rule: (typeof rows)[number]): boolean => rule.enabled && rule.channels.length === 0;
  return new Map(
    [...Map.groupBy(rows, (rule) => rule.policyId)].map(([id, rules]) => [
      id,
      { used: rules.length, needed: rules.filter(isNeeded).length },
    ]),
  );
};

/** The rows of a team, by their age. */
export const readPolicies = ({ db }: Pick<Deps, "db">, { teamId }: Pick<Viewer, "teamId">): Promise<Row[]> =>
  db.select().from(alertPolicies).where(ownedBy(alertPolicies, teamId)).orderBy(asc(alertPolicies.id));

/** A user's policies, by their age. */
export const listPolicies = async (
  deps: Pick<Deps, "db" | "config">,
  owner: Viewer,
): Promise<Static<typeof Policy>[]> => {
  const rows = await readPolicies(deps, owner);
  if (rows.length === 0) return [];
  const [ownChannels, uses] = [await choosableChannels(deps, owner), await countUses(deps, owner)];
  return rows.map((row) => ({
    id: row.id,
    ...presentPolicy(row),
    deleted_channels: [...new Set(row.steps.flatMap(({ channels }) => channels))].filter((id) => !ownChannels.has(id)),
    used_by: uses.get(row.id)?.used ?? 0,
    needed_by: uses.get(row.id)?.needed ?? 0,
    created_at: isoTime(row.createdAt),
    updated_at: isoTime(row.updatedAt),
  }));
};

/** @throws {AppError} not_found, also for policies of other users */
const findPolicy = async ({ db }: Pick<Deps, "db">, owner: Viewer, policyId: number): Promise<Row> => {
  const [row] = await db
    .select()
    .from(alertPolicies)
    .where(and(eq(alertPolicies.id, policyId), ownedBy(alertPolicies, owner.teamId)));
  if (!row) throw notFound("Policy");
  return row;
};

/**
 * The policy to store for a request. Deleted channels that the stored one still names are left out, so that it can be
 * sent back as it was shown.
 * @throws {AppError} validation, with an entry for each field that is wrong
 */
const checkPolicy = async (deps: Deps, owner: Viewer, body: PolicyBody, stored?: Row): Promise<NamedPolicy> => {
  const sent = policyOf(body);
  const ownChannels = await choosableChannels(deps, owner);
  const before = new Set(stored?.steps.flatMap(({ channels }) => channels));
  const unknown = sent.steps.flatMap(({ channels }, index) =>
    channels.every((id) => ownChannels.has(id) || before.has(id)) ? [] : [`steps.${index}.channels`],
  );
  const policy = withChannels(sent, ownChannels);
  const errors = [
    ...unknown.map((path) => ({ path, message: `${path}: there is no such channel`, code: "channel_unknown" })),
    ...policyErrors(policy).filter(({ path }) => !unknown.includes(path)),
  ];
  if (errors.length > 0) throw validation(errors);
  return policy;
};

const nameTaken = () =>
  validation([{ path: "name", message: "name: another policy has this name", code: "name_taken" } as FieldError]);

/** Asserts within a transaction that no other policy of the user has this name. @throws {AppError} validation */
const requireFreeName = async (tx: Database, owner: Viewer, name: string, except = 0): Promise<void> => {
  const others = and(ownedBy(alertPolicies, owner.teamId), eq(alertPolicies.name, name), ne(alertPolicies.id, except));
  if ((await tx.$count(alertPolicies, others)) > 0) throw nameTaken();
};

/**
 * Inserts a valid policy within a transaction and returns its id.
 * @throws {AppError} conflict when the user has too many
 */
export const insertPolicy = async (
  { db: tx, clock }: Pick<Deps, "db" | "clock">,
  owner: Pick<Viewer, "id" | "teamId">,
  policy: NamedPolicy,
): Promise<number> => {
  if ((await tx.$count(alertPolicies, ownedBy(alertPolicies, owner.teamId))) >= POLICY_LIMITS.policies) {
    const reason = `A user may have at most ${POLICY_LIMITS.policies} policies. Delete one first.`;
    throw new AppError("conflict", { reason });
  }
  const now = clock.now();
  const values = { ...policy, ...madeBy(owner), createdAt: now, updatedAt: now };
  const [row] = await tx.insert(alertPolicies).values(values).returning({ id: alertPolicies.id });
  return (row as Pick<Row, "id">).id;
};

/**
 * Stores a new policy and returns its id.
 * @throws {AppError} validation, conflict when the user has too many
 */
export const createPolicy = (deps: Deps, owner: Viewer, body: PolicyBody): Promise<number> =>
  deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const policy = await checkPolicy({ ...deps, db: tx }, owner, body);
    await requireFreeName(tx, owner, policy.name);
    const policyId = await insertPolicy({ ...deps, db: tx }, owner, policy);
    await recordChange({ ...deps, db: tx }, owner, {
      action: "created",
      ...logged({ ...policy, id: policyId }, owner),
    });
    return policyId;
  });

const logged = ({ id, name }: Pick<Row, "id" | "name">, { teamId }: Pick<Viewer, "teamId">) => ({
  object: { type: "policy" as const, id, name },
  teamId,
});

/** The statement that evaluates a user's open outages now, because steps or reminders may be due earlier. */
const wakeEscalations = (teamId: number, now: number): SQL =>
  sql`update ${escalations} set next_at = ${now} where next_at > ${now}
    and outage_id in (select o.id from ${outages} as o where o.team_id = ${teamId} and o.ended_at is null)`;

/**
 * Stores a change of a policy. Open outages continue with the steps that it has now.
 * @throws {AppError} not_found, validation, rule_changed when it is of another version than the one sent
 */
export const updatePolicy = (deps: Deps, owner: Viewer, policyId: number, body: PolicyBody): Promise<void> =>
  deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const within = { ...deps, db: tx };
    const stored = await findPolicy(within, owner, policyId);
    await requireVersion(stored, body.version, async () =>
      (await listPolicies(within, owner)).find(({ id }) => id === policyId),
    );
    const policy = await checkPolicy(within, owner, body, stored);
    await requireFreeName(tx, owner, policy.name, policyId);
    await tx.rows(wakeEscalations(owner.teamId, deps.clock.now()));
    await tx
      .update(alertPolicies)
      .set({ ...policy, updatedAt: deps.clock.now() })
      .where(eq(alertPolicies.id, policyId));
    const object = logged({ ...policy, id: policyId }, owner);
    const { steps, quiet, name, repeatMinutes, repeatMax, groupSeconds } = stored;
    const before = { steps, quiet, name, repeatMinutes, repeatMax, groupSeconds };
    await recordChange(within, owner, { action: "changed", ...object, before, after: policy });
  });

/**
 * Deletes a policy. The rules that used it go back to their channels; returns how many these were.
 * @throws {AppError} not_found
 */
export const deletePolicy = async (deps: Deps, owner: Viewer, policyId: number): Promise<number> => {
  return deps.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const stored = await findPolicy({ db: tx }, owner, policyId);
    const uses = await countUses({ db: tx }, owner);
    await tx.delete(alertPolicies).where(eq(alertPolicies.id, policyId));
    await recordChange({ ...deps, db: tx }, owner, { action: "deleted", ...logged(stored, owner) });
    return uses.get(policyId)?.used ?? 0;
  });
};
