import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, id, integer, list, object, ok, oneOf } from "../../../server/answers";
import { BULK_REFUSALS } from "../../../shared/monitor";
import { signedIn } from "../../accounts/guard";
import type { Engine } from "../engine/engine";
import { MANUAL_PAUSE } from "../engine/off-schedule/manual-checks";
import { bulkModel, parseBulk } from "./model";
import { changeMany } from "./service";

const success = true as const;

/** The call that changes many monitors at once. */
export const bulkRoutes = (deps: Deps, engine: Engine) =>
  new Elysia().use(signedIn(deps)).post(
    "/bulk",
    async ({ user, body }) => {
      const context = { deps, engine, viewer: user, pause: MANUAL_PAUSE[user.role] };
      const parsed = parseBulk(body, deps.config);
      return { success, ...(await deps.costlyCalls.run(user.id, () => changeMany(context, parsed))) };
    },
    {
      body: bulkModel,
      detail: describe({
        id: "changeMonitors",
        summary: "Change many monitors",
        description:
          "Does the same to at most 1,000 monitors, in transactions of at most 200. One that can't be changed is left out; `dry_run` answers which, and sending its `ids` then changes exactly what it counted. The history of deleted monitors is purged within an hour.",
        access: "user",
        answer: {
          description: "What was changed.",
          schema: ok({
            ids: list(id("A monitor's id.", 3), "The monitors that were found."),
            matched: integer("How many monitors were found.", 3),
            changed: integer("How many of them were changed, without those that already were so.", 2),
            refused: list(
              object({
                id: id("The monitor's id.", 3),
                code: oneOf(
                  "Why it was left out. `foreign`: it is another team's; `no_interval`: it waits for pings.",
                  BULK_REFUSALS,
                ),
              }),
              "Monitors that were left out.",
              [],
            ),
          }),
        },
        refusals: ["too_many_matches", "too_many_tags", "rate_limited"],
      }),
    },
  );
