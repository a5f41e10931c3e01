/** Thresholds in the log of changes. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Viewer } from "../../../db/owner";
import { agents, type thresholds } from "../../../db/schema";
import type { ThresholdSetting } from "../../../shared/agents/thresholds";
import { recordChange } from "../../accounts/audit/record";
import { listTags } from "../../tags/service";

/** Where a threshold applies. */
export type Place = Pick<typeof thresholds.$inferSelect, "scope" | "tagId" | "agentId">;

type Logged = Place & ThresholdSetting;
type Logging = { action: "created" | "changed" | "deleted"; before?: Logged; after?: Logged };

/** The server that a threshold is only for, before and after a change; null for others. */
const serverOf = async ({ db }: Pick<Deps, "db">, { before, after }: Logging) => {
  const [from, to] = [before ?? after, after ?? before];
  if (!to || to.agentId === null || from?.agentId !== to.agentId) return null;
  const [server] = await db.select({ name: agents.name }).from(agents).where(eq(agents.id, to.agentId));
  return { type: "agent" as const, id: to.agentId, name: server?.name ?? "" };
};

/** Records a change of a threshold, in its transaction: of one for a single server as a change of the server. */
export const recordThreshold = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  { teamId, ...viewer }: Viewer,
  id: number,
  { action, ...change }: Logging,
): Promise<void> => {
  const server = await serverOf(deps, { action, ...change });
  const tags = new Map((await listTags(deps, teamId)).map((tag) => [tag.id, tag.name]));
  const factsOf = (logged: Logged | undefined) => {
    if (!logged) return {};
    const { scope, tagId, metric, subject, threshold, clear, minutes } = logged;
    const figure = subject ? `${subject}: ${threshold}` : threshold;
    if (server) return { [`threshold_${metric}`]: figure, clear, minutes };
    return { scope, tag: tags.get(tagId ?? 0) ?? null, metric, subject: subject || null, threshold, clear, minutes };
  };
  const { metric = "", subject = "" } = change.after ?? change.before ?? {};
  await recordChange(deps, viewer, {
    action: server ? "changed" : action,
    object: server ?? { type: "threshold", id, name: subject ? `${metric} ${subject}` : metric },
    teamId,
    before: factsOf(change.before),
    after: factsOf(change.after),
  });
};
