import { and, gt, isNull, or, sql } from "drizzle-orm";
import { type Static, t } from "elysia";
import { ownedBy } from "../../../db/owner";
import { mutes } from "../../../db/schema";
import { isoTimeOrNull } from "../../../lib/time";
import { object, record } from "../../../server/answers";
import { field } from "../../../server/schema";
import type { TargetType } from "../../../shared/notifications";
import { definePart, insertRows, MAX_ITEMS } from "../../transfer/part";
import { Muted } from "./service";

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

const COLUMNS = { target_type: "text", target_id: "bigint", ends_at: "bigint", until_recovery: "boolean" } as const;

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
  export: async ({ deps: { db, clock }, owner, has }) => {
    const active = or(isNull(mutes.endsAt), gt(mutes.endsAt, clock.now()));
    const rows = await db
      .select()
      .from(mutes)
      .where(and(ownedBy(mutes, owner.id), active));
    const of = (part: string, type: TargetType) =>
      Object.fromEntries(
        rows
          .filter(({ targetType, targetId }) => targetType === type && has(part, targetId))
          .map(({ targetId, endsAt, untilRecovery }) => [
            targetId,
            { until: isoTimeOrNull(endsAt), until_recovery: untilRecovery },
          ]),
      );
    return { monitors: of("monitors", "monitor"), agents: of("agents", "agent") };
  },
  parse: (sent: Sent, refuse) => {
    for (const [part] of TARGETS)
      for (const [id, { until }] of Object.entries(sent[part] ?? {}))
        if (until && Number.isNaN(Date.parse(until))) refuse(`${part}.${id}.until`, "expected a time in ISO 8601");
    return sent;
  },
  check: (sent, { refer }) => {
    for (const [part] of TARGETS) for (const id of Object.keys(sent[part] ?? {})) refer(`${part}.${id}`, part, id);
  },
  plan: async (sent, { deps: { db, clock }, owner, idOf }) => {
    const given = TARGETS.flatMap(([part, type]) =>
      Object.entries(sent[part] ?? {}).flatMap(([id, { until, until_recovery = false }]) => {
        const target = idOf(part, Number(id));
        const endsAt = until ? Date.parse(until) : null;
        return target === null ? [] : [{ type, target, endsAt, row: [type, target, endsAt, until_recovery] }];
      }),
    );
    const rows = await db.select().from(mutes).where(ownedBy(mutes, owner.id));
    const stored = new Set(rows.map(({ targetType, targetId }) => `${targetType} ${targetId}`));
    const added = given.filter(
      ({ type, target, endsAt }) => !stored.has(`${type} ${target}`) && (endsAt === null || endsAt > clock.now()),
    );
    return {
      created: added.length,
      skipped: given.length - added.length,
      // The user may have muted the same target since they were read.
      statements: ({ now, condition }) => [
        sql`${insertRows(
          mutes,
          COLUMNS,
          added.map(({ row }) => row),
          { common: { user_id: owner.id, muted_at: now }, condition },
        )} on conflict do nothing`,
      ],
    };
  },
});
