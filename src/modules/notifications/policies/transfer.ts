import { asc, sql } from "drizzle-orm";
import { type Static, t } from "elysia";
import { ownedBy } from "../../../db/owner";
import { alertPolicies } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { id, list, object } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { POLICY_LIMITS } from "../../../shared/alert-policy";
import { atMost, definePart, type Exporting, fileId, insertRows, note, planItems } from "../../transfer/part";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { choosableChannels } from "../channels/service";
import { policyModel } from "./model";
import {
  type NamedPolicy,
  POLICY_COLUMNS,
  policyErrors,
  policyFields,
  policyOf,
  policyRow,
  presentPolicy,
  tooManyPolicies,
} from "./service";

const sentPolicy = t.Composite([
  t.Object({
    id: t.Optional(fileId),
    steps: t.Array(
      t.Object({
        after_minutes: whole(0, POLICY_LIMITS.afterMinutes),
        // Deleted channels are not exported, which may leave a step without any.
        channels: t.Array(whole(0, Number.MAX_SAFE_INTEGER), atMost(POLICY_LIMITS.channelsPerStep)),
      }),
      { minItems: 1, ...atMost(POLICY_LIMITS.steps) },
    ),
  }),
  t.Omit(policyModel, ["steps"]),
]);

const readPolicies = ({ deps, owner }: Pick<Exporting, "deps" | "owner">) =>
  deps.db.select().from(alertPolicies).where(ownedBy(alertPolicies, owner.id)).orderBy(asc(alertPolicies.id));

/** A policy with the channels that `channelOf` gives for its own; those without one are left out. */
const withChannels = <Policy extends NamedPolicy>(
  policy: Policy,
  channelOf: (id: number) => number | null,
): Policy => ({
  ...policy,
  steps: policy.steps.map((step) => ({
    ...step,
    channels: [...new Set(step.channels.map(channelOf).filter((id) => id !== null))],
  })),
});

/** The alert policies of an exported file. */
export const policiesPart = definePart({
  key: "policies",
  counted: "policies",
  sent: field(
    t.Array(sentPolicy, atMost(POLICY_LIMITS.policies)),
    "A policy is known by its name: one that you have is kept.",
  ),
  exported: list(object({ id: id("The policy's id in the file.", 4), ...policyFields })),
  async *export(context) {
    for (const row of await readPolicies(context))
      yield {
        id: row.id,
        ...presentPolicy(withChannels(row, (id) => (id === BUILT_IN_ID || context.has("channels", id) ? id : null))),
      };
  },
  parse: (sent: Static<typeof sentPolicy>[], refuse) => {
    const names = new Set<string>();
    return sent.map((given, index) => {
      const policy = { ...policyOf(given), id: given.id };
      for (const { path, message, code } of policyErrors(policy))
        if (code !== "channels_required") refuse(`${index}.${path}`, message.slice(path.length + 2));
      if (names.has(policy.name)) refuse(`${index}.name`, "another policy before it has this name");
      names.add(policy.name);
      return policy;
    });
  },
  check: (sent, { refer }) => {
    // No file contains the built-in channel.
    for (const [index, { steps }] of sent.entries())
      for (const [place, { channels }] of steps.entries())
        for (const [at, id] of channels.entries())
          if (id !== BUILT_IN_ID) refer(`${index}.steps.${place}.channels.${at}`, "channels", id);
  },
  plan: async (parsed, context) => {
    const { deps, owner, idOf } = context;
    const hasBuiltIn = builtInChannel(deps.config, owner.role) !== null;
    const policies = parsed.map((policy) =>
      withChannels(policy, (id) => (id !== BUILT_IN_ID ? idOf("channels", id) : hasBuiltIn ? id : null)),
    );
    const before = new Map((await readPolicies(context)).map((row) => [row.name, row]));
    const { added, condition, ...plan } = await planItems(context, policies, {
      table: alertPolicies,
      quota: { limit: POLICY_LIMITS.policies, exceeded: tooManyPolicies },
      read: () => readPolicies(context),
      keyOf: ({ name }) => name,
    });
    const [ids, names] = [added.map(({ id }) => id), added.map(({ name }) => name)];
    // The user may have renamed a policy since they were read.
    const areNamesFree = sql`not exists (select 1 from ${alertPolicies} as renamed where renamed.user_id = ${owner.id}
      and ${isOneOf(sql`renamed.name`, names)} and not (${isOneOf(sql`renamed.id`, ids)}))`;
    const rows = added.map((policy) => [policy.id, ...policyRow(policy)]);
    const known = await choosableChannels(deps, owner);
    return {
      ...plan,
      condition: added.length > 0 ? sql`${condition} and ${areNamesFree}` : condition,
      statements: ({ now, condition }) => {
        const common = { user_id: owner.id, created_at: now, updated_at: now };
        return [insertRows(alertPolicies, { id: "bigint", ...POLICY_COLUMNS }, rows, { common, condition })];
      },
      notes: () => [
        ...(!hasBuiltIn && parsed.some(({ steps }) => steps.some(({ channels }) => channels.includes(BUILT_IN_ID)))
          ? [note("built_in_missing", "policies", "there is no built-in channel for you here")]
          : []),
        ...policies.flatMap((policy, index) => {
          const stored = before.get(policy.name);
          // No file contains deleted channels.
          const own = stored && withChannels(stored, (id) => (known.has(id) ? id : null));
          return own && !Bun.deepEquals(policyRow(own), policyRow(policy))
            ? [note("kept", `policies.${index}`, `you have "${policy.name}" already, and it stays as it is`)]
            : [];
        }),
      ],
    };
  },
});
