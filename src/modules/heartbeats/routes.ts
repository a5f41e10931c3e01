import { Elysia, t } from "elysia";
import type { Deps } from "../../core/deps";
import { describe, integer, list, nullable, ok } from "../../server/answers";
import { field, idParam, whole } from "../../server/schema";
import { signedIn } from "../auth/guard";
import { findMonitor } from "../monitors/service";
import { KEPT_PINGS, Ping, readPings } from "./pings";

const pingsQuery = t.Object({
  before: t.Optional(
    field(whole(1, Number.MAX_SAFE_INTEGER), "Only pings before the one with this id: `next` of the previous page."),
  ),
  limit: t.Optional(
    field(whole(1, KEPT_PINGS), `The size of the page: 1 to ${KEPT_PINGS}; ${KEPT_PINGS} by default.`, 20),
  ),
});

/** The pings of a heartbeat, as its owner reads them. */
export const pingListRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/monitors", tags: ["Monitors"] }).use(signedIn(deps)).get(
    "/:id/pings",
    async ({ user, reads, params, query }) => {
      await findMonitor(deps, user, params.id);
      const { before, limit = KEPT_PINGS } = query;
      return { success: true as const, ...(await readPings(deps, params.id, { before, limit, reads })) };
    },
    {
      params: idParam("The monitor's id."),
      query: pingsQuery,
      detail: describe({
        id: "listPings",
        summary: "List a heartbeat's pings",
        description: `The last ${KEPT_PINGS} pings are kept. Other monitors have none.`,
        access: "user",
        answer: {
          description: "A page of pings, newest first.",
          schema: ok({
            pings: list(Ping),
            next: nullable(integer("`before` of the next page; null on the last one.", 1234), null),
          }),
        },
      }),
    },
  );
