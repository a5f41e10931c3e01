import { and, gt, isNull, or } from "drizzle-orm";
import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { madeBy, ownedBy } from "../../../db/owner";
import { mutes } from "../../../db/schema";
import { object, record } from "../../../server/answers";
import { field } from "../../../server/schema";
import type { TargetType } from "../../../shared/notifications";
import { definePart, MAX_ITEMS } from "../../transfer/part";
import { Muted, presentMute } from "./service";

const sentMute = t.Object({
  until: t.Union([t.String({ maxLength: 40 }), t.Null()], { error: "expected a time in ISO 8601, or null" }),
  until_recovery: t.Optional(t.Boolean({ error: "expected true or false" })),
});
const byId = t.Optional(t.Record(t.String({ maxLength: 20 }), sentMute, { maxProperties: MAX_ITEMS }));
const sentModel = t.Object({ monitors: byId, agents: byId });
type Sent = Static<typeof sentModel>;

/** The fields of the part: each is the key of the part of its targets. */
const TARGETS = [
  ["monitors", "monitor"],
  ["agents", "agent"],
] as const satisfies [keyof Sent, TargetType][];

/** The mutes of an exported file. */
export const mutesPart = definePart({
  key: "mutes",
  counted: "mutes",
  sent: field(
    sentModel,
    "Mutes of monitors and servers by their id. Those that are over are left out, yours are kept.",
  ),
  exported: object({
    monitors: record(Muted, "Mutes of monitors, by id.", "3"),
    agents: record(Muted, "Mutes of servers, by id.", "5"),
  }),
  export: async ({ deps: { db, clock }, owner }) => {
    const active = or(isNull(mutes.endsAt), gt(mutes.endsAt, clock.now()));
    const rows = await db
      .select()
      .from(mutes)
      .where(and(ownedBy(mutes, owner.teamId), active));
    const of = (type: TargetType) =>
      Object.fromEntries(
        rows.filter(({ targetType }) => targetType === type).map((mute) => [mute.targetId, presentMute(mute)]),
      );
    return { monitors: of("monitor"), agents: of("agent") };
  },
  parse: (sent: Sent, refuse) => {
    for (const [part] of TARGETS)
      for (const [id, { until }] of Object.entries(sent[part] ?? {}))
        if (until && Number.isNaN(Date.parse(until))) refuse(`${part}.${id}.until`, "expected a time in ISO 8601");
    return sent;
  },
  references: ({ monitors, agents }, { record }) => ({
    monitors: record("monitors", monitors),
    agents: record("agents", agents),
  }),
  import: async (sent, { deps: { db }, owner, now }) => {
    const given = TARGETS.flatMap(([part, targetType]) =>
      Object.entries(sent[part] ?? {}).map(([id, { until, until_recovery: untilRecovery = false }]) => {
        const endsAt = until ? Date.parse(until) : null;
        return { targetType, targetId: Number(id), endsAt, untilRecovery, ...madeBy(owner), mutedAt: now };
      }),
    );
    const rows = await db.select().from(mutes).where(ownedBy(mutes, owner.teamId));
    const stored = new Set(rows.map(({ targetType, targetId }) => `${targetType} ${targetId}`));
    const added = given.filter(
      ({ targetType, targetId, endsAt }) =>
        !stored.has(`${targetType} ${targetId}`) && (endsAt === null || endsAt > now),
    );
    await insertMany(db, mutes, added);
    return { created: added.length, skipped: given.length - added.length };
  },
});
