/** Who is notified of monitors from a foreign file. */
import { readSettings } from "../../alerting/rules/service";
import { recordImport, type TransferPart } from "../part";
import { keyOf, type Run } from "./run";
import { BATCH } from "./write";

/** Whom a monitor notifies, by the ids here. */
type Rule = { enabled: boolean; channels: number[]; policyId: number | null };

const NOTHING: Rule = { enabled: false, channels: [], policyId: null };

/** The rules of the monitors that are new, or whose channels are. */
const rulesHere = ({ draft, ids, results }: Run): Map<number, Rule> => {
  const created = new Set(
    [...results.values()].flatMap(({ item, exists, targetId }) =>
      !exists && targetId !== null && item.content?.id !== undefined ? [keyOf(item.part, item.content.id)] : [],
    ),
  );
  const rules = new Map<number, Rule>();
  for (const [fileId, rule] of Object.entries(draft.rules)) {
    const id = ids.get(keyOf("monitors", fileId));
    const isNew =
      created.has(keyOf("monitors", fileId)) || rule.channels.some((one) => created.has(keyOf("channels", one)));
    if (id === undefined || !isNew) continue;
    const channels = rule.channels.flatMap((one) => ids.get(keyOf("channels", one)) ?? []);
    const policyId = rule.policy === null ? null : (ids.get(keyOf("policies", rule.policy)) ?? null);
    rules.set(id, channels.length === 0 ? NOTHING : { enabled: true, channels, policyId });
  }
  return rules;
};

/** The rule that most monitors have. */
const commonest = (rules: Iterable<Rule>): Rule => {
  const counts = new Map<string, { rule: Rule; count: number }>();
  for (const rule of rules) {
    const key = JSON.stringify(rule);
    counts.set(key, { rule, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()].sort((one, other) => other.count - one.count)[0]?.rule ?? NOTHING;
};

/**
 * Writes the rules of new monitors. Those that most of them have become the setting for all, if the user had no monitors before;
 * monitors that follow the setting for all need no rule of their own. Existing rules stay.
 */
export const importRules = async (
  run: Run,
  { part, hadMonitors }: { part: TransferPart; hadMonitors: boolean },
): Promise<void> => {
  const { deps, owner } = run;
  const rules = rulesHere(run);
  if (rules.size === 0) return;
  const write = (content: object) =>
    deps.db.transact(async (tx) => {
      const context = { owner, now: deps.clock.now(), idInFile: () => undefined, missing: () => [], created: () => 0 };
      const within = { ...deps, db: tx };
      const { created = 0 } = await part.import(content, { ...context, deps: within });
      await recordImport(within, owner, run.draft.source, [[part.key, created]]);
    });
  if (!hadMonitors) await write({ monitors: commonest(rules.values()) });
  const { monitors: global } = await readSettings(deps, owner, { specific: false });
  const followsGlobal = ({ enabled, channels, policyId }: Rule): boolean =>
    enabled === global.enabled &&
    (!enabled || (policyId === global.policyId && Bun.deepEquals(channels.toSorted(), global.channels.toSorted())));
  const own = [...rules].filter(([, rule]) => !followsGlobal(rule));
  for (let start = 0; start < own.length; start += BATCH) {
    const entries = own.slice(start, start + BATCH).map(([id, rule]) => [id, { ...rule, overrideGlobal: true }]);
    await write({ specificMonitors: Object.fromEntries(entries) });
  }
};
