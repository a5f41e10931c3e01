import { type Static, t } from "elysia";
import { insertMany } from "../../../db/insert-many";
import { alertPolicies } from "../../../db/schema";
import { id, list, object } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { POLICY_LIMITS } from "../../../shared/alert-policy";
import { atMost, definePart, fileId, matchItems, note } from "../../transfer/part";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { choosableChannels } from "../channels/service";
import { policyModel } from "./model";
import {
  type NamedPolicy,
  policyErrors,
  policyFields,
  policyOf,
  presentPolicy,
  readPolicies,
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
  async *export({ deps, owner, has }) {
    const channelOf = (id: number) => (id === BUILT_IN_ID || has("channels", id) ? id : null);
    for (const row of await readPolicies(deps, owner))
      yield { id: row.id, ...presentPolicy(withChannels(row, channelOf)) };
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
  import: async (parsed, context) => {
    const { deps, owner, now, idOf } = context;
    const hasBuiltIn = builtInChannel(deps.config, owner.role) !== null;
    const policies = parsed.map((policy) =>
      withChannels(policy, (id) => (id !== BUILT_IN_ID ? idOf("channels", id) : hasBuiltIn ? id : null)),
    );
    const before = new Map((await readPolicies(deps, owner)).map((row) => [row.name, row]));
    const { added, ...matched } = await matchItems(context, policies, {
      table: alertPolicies,
      quota: { limit: POLICY_LIMITS.policies, exceeded: tooManyPolicies },
      read: async () => [...before.values()],
      keyOf: ({ name }) => name,
    });
    const rows = added.map((policy) => ({ ...policy, userId: owner.id, createdAt: now, updatedAt: now }));
    await insertMany(deps.db, alertPolicies, rows);
    const known = await choosableChannels(deps, owner);
    return {
      ...matched,
      notes: () => [
        ...(!hasBuiltIn && parsed.some(({ steps }) => steps.some(({ channels }) => channels.includes(BUILT_IN_ID)))
          ? [note("built_in_missing", "policies", "there is no built-in channel for you here")]
          : []),
        ...policies.flatMap((policy, index) => {
          const stored = before.get(policy.name);
          // No file contains deleted channels.
          const own = stored && withChannels(stored, (id) => (known.has(id) ? id : null));
          return own && !Bun.deepEquals(presentPolicy(own), presentPolicy(policy))
            ? [note("kept", `policies.${index}`, `you have "${policy.name}" already, and it stays as it is`)]
            : [];
        }),
      ],
    };
  },
});
