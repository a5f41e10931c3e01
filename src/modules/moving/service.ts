/** Moves monitors, servers and channels to another team. */
import type { Static } from "@sinclair/typebox";
import { sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import type { Database, Queries, Statement } from "../../db/database";
import { madeBy, type Owner, requireRight, type Viewer } from "../../db/owner";
import { teams } from "../../db/schema";
import { isOneOf, lock, lockRowsLightly } from "../../db/sql";
import type { linksField } from "../../server/answers";
import { LINK_KINDS, type LinkKind } from "../../shared/accounts/teams";
import type { QuotaName } from "../../shared/limits";
import type { TargetType } from "../../shared/notifications";
import { type Change, recordChanges } from "../accounts/audit/record";
import { requireRoom } from "../accounts/quotas/service";
import { lockTeam, roleIn } from "../accounts/teams/membership";
import { findChannel } from "../alerting/channels/service";
import type { Target } from "../alerting/dependencies/service";
import { moveChannelRows, moveTargetAlerts, readChannelLinks, readTargetLinks } from "../alerting/moving";
import { moveMonitorRows } from "../monitors/change";
import { findMonitor } from "../monitors/service";
import { moveServerRows } from "../servers/enrollment/enroll";
import { findServer } from "../servers/service";
import { purgeTags, readTags } from "../tags/service";

type Links = Static<typeof linksField>;

/** The targets that the status page of a team shows. */
export type ReadPage = (store: Pick<Deps, "db">, teamId: number) => Promise<Record<TargetType, readonly number[]>>;

/** Something that can be moved. */
type Movable = {
  object: { type: "monitor" | "agent" | "channel"; id: number; name: string };
  teamId: number;
  quota: QuotaName;
  readLinks: (tx: Database) => Promise<Partial<Record<LinkKind, string[]>>>;
  move: (tx: Queries, owner: Owner) => Statement[];
};

/**
 * Locks the team that something moves to, and asserts that the viewer may add to it, also with another one in `?team=`.
 * @throws {AppError} not_found, role_insufficient
 */
const requireTarget = async (tx: Database, viewer: Viewer, teamId: number): Promise<void> => {
  if (viewer.limited) throw notFound("Team");
  const own = (await lockTeam(tx, teamId)).filter(({ userId }) => userId === viewer.id);
  const teams = new Map(own.map(({ role }) => [teamId, role]));
  roleIn({ teams, seesAll: viewer.seesAll }, teamId);
  requireRight({ ...viewer, teams }, "edit", { teamId });
};

/**
 * Moves something to another team. The mover counts as its maker from then on, who may be no member of its earlier team. Returns the
 * links that ended.
 * @throws {AppError} not_found, role_insufficient, links_would_end, quota_reached
 */
const move = async (
  deps: Deps,
  viewer: Viewer,
  { object, teamId, quota, readLinks, move }: Movable,
  { team, drop = false }: { team: number; drop?: boolean },
): Promise<Links> => {
  requireRight(viewer, "edit", { teamId });
  if (team === teamId) return [];
  const owner = madeBy({ id: viewer.id, teamId: team });
  return deps.db.transact(async (tx) => {
    await lock(tx, lockRowsLightly(teams, teams.id, isOneOf(teams.id, [teamId, team])));
    await requireTarget(tx, viewer, team);
    await requireRoom({ ...deps, db: tx }, quota, owner);
    const read = await readLinks(tx);
    const links = LINK_KINDS.flatMap((kind) => (read[kind] ?? []).map((name) => ({ kind, name })));
    if (links.length > 0 && !drop) throw new AppError("links_would_end", { count: links.length }, { links });
    await tx.atomically((queries) => move(queries, owner));
    // Both teams find it in their changes.
    const moved = [teamId, team].map((one): Change => ({ action: "moved", object, teamId: one }));
    await recordChanges({ ...deps, db: tx }, viewer, moved);
    return links;
  });
};

type Wanted = { team: number; drop?: boolean };

/** `readPage` is of the status page, which no module imports. */
type Moving = Deps & { readPage: ReadPage };

const readLinksOf =
  ({ readPage }: Moving, { type, id, teamId }: Target & { teamId: number }) =>
  async (tx: Database) => ({
    ...(await readTargetLinks({ db: tx }, { type, id })),
    tag: ((await readTags({ db: tx }, type, [id])).get(id) ?? []).map(({ name }) => name),
    page: (await readPage({ db: tx }, teamId))[type].includes(id) ? [""] : [],
  });

export const moveMonitor = async (deps: Moving, viewer: Viewer, id: number, wanted: Wanted) => {
  const { teamId, name } = (await findMonitor(deps, viewer, id)).monitor;
  const links = await move(
    deps,
    viewer,
    {
      object: { type: "monitor", id, name },
      ...{ teamId, quota: "monitors", readLinks: readLinksOf(deps, { type: "monitor", id, teamId }) },
      move: (tx, owner) => [
        ...moveMonitorRows(tx, id, owner),
        ...moveTargetAlerts(tx, { type: "monitor", id }, owner),
        purgeTags(tx, "monitor", sql`(${id})`),
      ],
    },
    wanted,
  );
  // What its checks may reach depends on its maker.
  deps.changedMonitors.add(id);
  return links;
};

export const moveServer = async (deps: Moving, viewer: Viewer, id: number, wanted: Wanted) => {
  const { teamId, name } = (await findServer(deps, viewer, id)).agent;
  return move(
    deps,
    viewer,
    {
      object: { type: "agent", id, name },
      ...{ teamId, quota: "servers", readLinks: readLinksOf(deps, { type: "agent", id, teamId }) },
      move: (tx, owner) => [
        ...moveServerRows(tx, id, owner),
        ...moveTargetAlerts(tx, { type: "agent", id }, owner),
        purgeTags(tx, "agent", sql`(${id})`),
      ],
    },
    wanted,
  );
};

export const moveChannel = async (deps: Deps, viewer: Viewer, id: number, wanted: Wanted) => {
  const { teamId, name } = await findChannel(deps, viewer, id);
  return move(
    deps,
    viewer,
    {
      object: { type: "channel", id, name },
      ...{ teamId, quota: "channels", readLinks: (tx) => readChannelLinks({ db: tx }, { id, teamId }) },
      move: (tx, owner) => moveChannelRows(tx, id, owner),
    },
    wanted,
  );
};
