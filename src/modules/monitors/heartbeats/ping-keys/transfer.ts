import { t } from "elysia";
import { AppError } from "../../../../core/errors";
import { insertMany } from "../../../../db/insert-many";
import { madeBy, ownedBy } from "../../../../db/owner";
import { pingKeys } from "../../../../db/schema";
import { list, object } from "../../../../server/answers";
import { field } from "../../../../server/schema";
import { LIMITS } from "../../../../shared/limits";
import { atMost, definePart, note } from "../../../transfer/part";
import { pingKeyField } from "./model";
import { findPingKeys, listPingKeys, PingKey, shortened } from "./service";

/** The ping keys of an exported file: like the tokens of ping URLs, they are in it, so that jobs go on pinging. */
export const pingKeysPart = definePart({
  key: "ping_keys",
  counted: "ping_keys",
  sent: field(
    t.Array(t.Object({ key: pingKeyField }), atMost(LIMITS.pingKeys)),
    "Ping keys. One that another team has is left out.",
  ),
  example: [{ key: "Jx0Kq2mWv8sT1aBcD4eF5g" }],
  exported: list(object({ key: PingKey.properties.key })),
  async *export({ deps, owner }) {
    for (const { key } of await listPingKeys(deps, owner.teamId)) yield { key };
  },
  import: async (sent, { deps, owner, now }) => {
    const keys = [...new Set(sent.map(({ key }) => key))];
    const owners = await findPingKeys(deps, keys);
    const added = keys.filter((key) => !owners.has(key));
    const existing = await deps.db.$count(pingKeys, ownedBy(pingKeys, owner.teamId));
    if (added.length > 0 && existing + added.length > LIMITS.pingKeys)
      throw new AppError("too_many_ping_keys", { limit: LIMITS.pingKeys });
    await insertMany(
      deps.db,
      pingKeys,
      added.map((key) => ({ ...madeBy(owner), key, createdAt: now })),
    );
    const taken = sent.flatMap(({ key }, index) => {
      const other = owners.get(key);
      return other && other.teamId !== owner.teamId ? [{ key, index }] : [];
    });
    return {
      created: added.length,
      skipped: sent.length - added.length,
      notes: () =>
        taken.map(({ key, index }) =>
          note("ping_key_taken", `ping_keys.${index}`, `another team has the ping key ${shortened(key)}`),
        ),
    };
  },
});
