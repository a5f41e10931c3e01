import { type Static, t } from "elysia";
import { id, list, object } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { POLICY_LIMITS } from "../../../shared/alert-policy";
import { atMost, definePart, fileId, type Note, note } from "../../transfer/part";
import { choosableChannels } from "../channels/service";
import { policyModel } from "./model";
import {
  insertPolicy,
  policyErrors,
  policyFields,
  policyOf,
  presentPolicy,
  readPolicies,
  withChannels,
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
  t.Omit(policyModel, ["steps", "version"]),
]);

/** The alert policies of an exported file. */
export const policiesPart = definePart({
  key: "policies",
  counted: "policies",
  sent: field(
    t.Array(sentPolicy, atMost(POLICY_LIMITS.policies)),
    "A policy is known by its name: one that you have is kept.",
  ),
  exported: list(object({ id: id("The policy's id in the file.", 4), ...policyFields })),
  async *export({ deps, owner }) {
    for (const row of await readPolicies(deps, owner)) yield { id: row.id, ...presentPolicy(row) };
  },
  parse: (sent: Static<typeof sentPolicy>[], refuse) => {
    const names = new Set<string>();
    for (const [index, given] of sent.entries()) {
      const policy = policyOf(given);
      for (const { path, message, code } of policyErrors(policy))
        if (code !== "channels_required") refuse(`${index}.${path}`, message.slice(path.length + 2));
      if (names.has(policy.name)) refuse(`${index}.name`, "another policy before it has this name");
      names.add(policy.name);
    }
    return sent;
  },
  references: (policy, { list }) => ({
    ...policy,
    steps: policy.steps.map((step, index) => ({
      ...step,
      channels: list("channels", step.channels, `steps.${index}.channels`),
    })),
  }),
  import: async (sent, { deps, owner }) => {
    const stored = new Map((await readPolicies(deps, owner)).map((row) => [row.name, row]));
    const choosable = await choosableChannels(deps, owner);
    const ids: number[] = [];
    const notes: Note[] = [];
    for (const [index, given] of sent.entries()) {
      const policy = policyOf(given);
      const own = stored.get(policy.name);
      ids.push(own?.id ?? (await insertPolicy(deps, owner, policy)));
      // No file contains deleted channels.
      if (own && !Bun.deepEquals(presentPolicy(withChannels(own, choosable)), presentPolicy(policy)))
        notes.push(note("kept", `policies.${index}`, `you have "${policy.name}" already, and it stays as it is`));
    }
    const isNew = sent.map(({ name }) => !stored.has(name.trim()));
    return { ids, isNew, created: isNew.filter(Boolean).length, notes: () => notes };
  },
});
