import { Elysia, t } from "elysia";
import type { Deps } from "../../../../core/deps";
import { describe, integer, list, ok } from "../../../../server/answers";
import { field, idParam, whole } from "../../../../server/schema";
import { clientAddress, networksOf } from "../../../accounts/client-address";
import { signedIn } from "../../../accounts/guard";
import { MAX_LINKED, MAX_TOKEN } from "./link";
import { acknowledgeByLink, LinkedOutage, readLinked } from "./public";
import { acknowledgeAsUser, acknowledgedField, MAX_DAYS, MAX_TEXT, withdrawAcknowledgement } from "./service";

const success = true as const;

const note = field(
  t.String({ maxLength: MAX_TEXT }),
  `Shown with it: at most ${MAX_TEXT} characters.`,
  "The disk is being replaced.",
);

const acknowledgeModel = t.Object({
  until: t.Optional(
    field(
      t.Union(
        [
          t.String({
            pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$",
            maxLength: 40,
          }),
          t.Null(),
        ],
        { error: "expected a time in ISO 8601 with its time zone" },
      ),
      `Until when alerts rest: a time in ISO 8601, at most ${MAX_DAYS} days from now. Without one, until it recovers.`,
    ),
  ),
  note: t.Optional(t.Union([note, t.Null()])),
});

const link = {
  id: field(whole(1, Number.MAX_SAFE_INTEGER), "The outage's id, as in the link.", 12),
  more: t.Optional(
    field(
      t.String({ pattern: `^[0-9a-z]{1,8}(-[0-9a-z]{1,8}){0,${MAX_LINKED - 2}}$`, maxLength: 9 * MAX_LINKED }),
      "`more` of the link of several outages.",
      "1-1-a",
    ),
  ),
  token: field(t.String({ maxLength: MAX_TOKEN }), "`t` of the link.", "2.tg8k3c.0f1e2d3c4b5a69788796a5b4c3d2e1f0"),
};
const linkQuery = t.Object(link);
const linkModel = t.Object({
  ...link,
  name: t.Optional(field(t.String({ maxLength: 100 }), "Who acknowledges: at most 100 characters.", "Bob")),
  note: t.Optional(note),
});

const userRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .guard({ params: idParam("The outage's id.") })
    .post(
      "/:id/acknowledge",
      async ({ user, params, body }) => ({
        success,
        acknowledged: await acknowledgeAsUser(deps, user, params.id, body),
      }),
      {
        body: acknowledgeModel,
        detail: describe({
          id: "acknowledgeOutage",
          summary: "Acknowledge an outage",
          description:
            "Steps and reminders rest until it recovers, or until a time, when they begin again. Channels that were notified get one line.",
          access: "user",
          answer: { description: "It is acknowledged.", schema: ok({ acknowledged: acknowledgedField }) },
          refusals: ["outage_ended"],
        }),
      },
    )
    .delete(
      "/:id/acknowledge",
      async ({ user, params }) => {
        await withdrawAcknowledgement(deps, user, params.id);
        return { success };
      },
      {
        detail: describe({
          id: "withdrawAcknowledgement",
          summary: "Withdraw an acknowledgement",
          description: "Alerts of the outage go on with the first step.",
          access: "user",
          answer: { description: "It is not acknowledged.", schema: ok() },
          refusals: ["outage_ended"],
        }),
      },
    );

const publicRoutes = (deps: Deps) => {
  const networks = (request: Request, server: Parameters<typeof clientAddress>[2]) =>
    networksOf(clientAddress(deps, request, server)).all;
  return new Elysia()
    .get(
      "/acknowledge-link",
      async ({ query, request, server, set }) => {
        set.headers["cache-control"] = "no-store";
        return { success, ...(await readLinked(deps, query, networks(request, server))) };
      },
      {
        query: linkQuery,
        detail: describe({
          id: "getLinkedOutage",
          summary: "Get the outages of a link",
          description: "What the page behind the link of a message shows. It changes nothing.",
          access: "public",
          answer: {
            description: "The open outages.",
            schema: ok({
              outage: LinkedOutage,
              others: list(LinkedOutage, "Other open outages of the link of several, oldest first."),
              ended: integer("How many outages of the link have ended.", 0),
            }),
          },
          refusals: ["link_invalid", "link_expired", "outage_ended", "rate_limited"],
        }),
      },
    )
    .post(
      "/acknowledge-link",
      async ({ body, request, server }) => ({
        success,
        acknowledged: await acknowledgeByLink(deps, body, clientAddress(deps, request, server)),
      }),
      {
        body: linkModel,
        detail: describe({
          id: "acknowledgeByLink",
          summary: "Acknowledge the outages of the link of a message",
          description:
            "All that are open and not acknowledged. A link is valid for a week, while one of its outages is open and its channel is in use.",
          access: "public",
          answer: { description: "It is acknowledged.", schema: ok({ acknowledged: acknowledgedField }) },
          refusals: ["link_invalid", "link_expired", "outage_ended", "already_acknowledged", "rate_limited"],
        }),
      },
    );
};

/** The calls that acknowledge outages: of users, and of those who were sent a link. */
export const acknowledgeRoutes = (deps: Deps) => new Elysia().use(publicRoutes(deps)).use(userRoutes(deps));
