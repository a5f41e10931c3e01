/** Monitors and servers with settings of their own. */
import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Viewer } from "../../../db/owner";
import { notificationRules } from "../../../db/schema";
import { containsText, inByteOrder } from "../../../db/sql";
import { component, id, oneOf, text } from "../../../server/answers";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import type { Target } from "../drill/service";
import { targetName } from "../targets";
import { EffectiveAlerts, readEffective } from "./service";

export const AlertException = component("AlertException", {
  type: oneOf("What it is; an agent is a server.", TARGET_TYPES),
  id: id("Its id.", 3),
  name: text("Its name.", "shop"),
  alerts: EffectiveAlerts,
});

/** The default size of a page. */
const PAGE = 50;

type Query = { of?: TargetType; search?: string; limit?: number; offset?: number };

/** The rules of a user's single targets that override the rule for all, or mark the target as critical. */
const exceptionsOf = (viewer: Viewer, { of }: Query): SQL => {
  const { teamId, targetType, targetId, overrideGlobal, critical } = notificationRules;
  return sql`select ${targetType} as type, ${targetId} as id, ${targetName(targetType, targetId)} as name
    from ${notificationRules} where ${teamId} = ${viewer.teamId} and ${targetId} <> 0 and (${overrideGlobal} or ${critical})
    ${of ? sql`and ${targetType} = ${of}` : sql``}`;
};

/** A page of the user's monitors and servers with settings of their own or marked as critical, by name. */
export const listExceptions = async (deps: Deps, viewer: Viewer, query: Query) => {
  const { search = "", limit = PAGE, offset = 0 } = query;
  const name = sql`found.name`;
  const matching = sql`from (${exceptionsOf(viewer, query)}) as found where ${name} <> ''
    ${search.trim() === "" ? sql`` : sql`and ${containsText(name, search)}`}`;
  const [counted] = await deps.db.rows(sql`select count(*) as total ${matching}`);
  const rows = await deps.db.rows(sql`select found.type, found.id, found.name ${matching}
    order by ${inByteOrder(sql`lower(${name})`)}, found.type, found.id limit ${limit} offset ${offset}`);
  const targets = rows.map((row): Target & { name: string } => ({
    type: row.type as TargetType,
    id: Number(row.id),
    name: String(row.name),
  }));
  const alerts = await readEffective(deps, viewer, targets);
  return {
    exceptions: targets.map((target, index) => ({ ...target, alerts: alerts[index] as EffectiveAlerts })),
    total: Number(counted?.total ?? 0),
  };
};
