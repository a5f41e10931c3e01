/** Changes of how a monitor or server alerts, in the log of changes. */
import type { Deps } from "../../core/deps";
import type { TargetType } from "../../shared/notifications";
import { type Author, type Change, recordChange } from "../accounts/audit/record";
import { viewOf } from "./targets";

type Target = { type: TargetType; id: number; teamId: number };

/** Records a change of a target, unless it was deleted, in the transaction of the change. */
export const recordOfTarget = async (
  deps: Pick<Deps, "db" | "clock" | "log">,
  author: Author,
  { type, id, teamId }: Target,
  change: Pick<Change, "action" | "before" | "after">,
): Promise<void> => {
  const name = await viewOf(type).readOwn(deps, id, teamId);
  if (name !== undefined) await recordChange(deps, author, { ...change, object: { type, id, name }, teamId });
};
