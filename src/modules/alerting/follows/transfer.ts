import { and } from "drizzle-orm";
import { type Static, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { ofUser, ownedBy } from "../../../db/owner";
import { channelFollows } from "../../../db/schema";
import { integer, list, record } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { TEAM_LIMITS } from "../../../shared/accounts/teams";
import { listTeams } from "../../accounts/teams/teams";
import { definePart, type Owner } from "../../transfer/part";
import { readFollows } from "./service";

const sentModel = t.Record(
  t.String({ maxLength: TEAM_LIMITS.name }),
  t.Array(whole(1, Number.MAX_SAFE_INTEGER), { maxItems: TEAM_LIMITS.ownChannels }),
  { maxProperties: TEAM_LIMITS.teams },
);
type Sent = Static<typeof sentModel>;

/** The other teams of a user, while they export or import their personal team; otherwise none. */
const readOtherTeams = async (deps: Deps, owner: Owner) => {
  const teams = await listTeams(deps, owner);
  const isPersonal = teams.some(({ id, personal }) => personal && id === owner.teamId);
  return isPersonal ? teams.filter(({ personal }) => !personal) : [];
};

/** Which channels of an exported file get the alerts of other teams, by the names of these. */
export const followsPart = definePart({
  key: "follows",
  counted: "follows",
  sent: field(sentModel, "Channels that get the alerts of other teams of yours, by the name of the team."),
  exported: record(list(integer("A channel's id in the file.", 2)), "Channels that get the alerts of a team.", "Shop"),
  export: async ({ deps, owner }) => {
    const names = new Map((await readOtherTeams(deps, owner)).map(({ id, name }) => [id, name]));
    const { teams } = await readFollows(deps, owner);
    const chosen = teams.flatMap(({ team, channels }) => {
      const name = names.get(team);
      return name === undefined ? [] : [[name, channels] as const];
    });
    return Object.fromEntries(chosen);
  },
  references: (sent: Sent, { list }) =>
    Object.fromEntries(Object.entries(sent).map(([team, ids]) => [team, list("channels", ids, team)])),
  import: async (sent: Sent, { deps, owner }) => {
    const others = await readOtherTeams(deps, owner);
    let created = 0;
    for (const { id: teamId, name } of others) {
      const stored = await deps.db
        .select({ id: channelFollows.channelId })
        .from(channelFollows)
        .where(and(ownedBy(channelFollows, teamId), ofUser(channelFollows, owner.id)));
      const known = new Set(stored.map(({ id }) => id));
      const added = (Object.hasOwn(sent, name) ? (sent[name] ?? []) : [])
        .filter((id) => !known.has(id))
        .slice(0, TEAM_LIMITS.ownChannels - known.size);
      if (added.length > 0)
        await deps.db
          .insert(channelFollows)
          .values(added.map((channelId) => ({ userId: owner.id, teamId, channelId })));
      created += added.length;
    }
    return { created, skipped: Object.values(sent).flat().length - created };
  },
});
