import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { acceptedLanguage } from "../../../lib/headers/accepted-language";
import { boolean, describe, integer, list, object, ok, text } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { SUBSCRIBER_LIMITS as LIMITS } from "../../../shared/status/subscribers";
import { clientAddress } from "../../accounts/client-address";
import { signedIn } from "../../accounts/guard";
import { PAGE_REFUSALS, visit } from "../access/visit";
import { pageQuery } from "../model";
import { languageOf } from "../pages/find";
import { deleteSubscriber, exportSubscribers, listSubscribers, SubscriberSchema } from "./list";
import { subscribeModel, subscriberParams, subscribersQuery } from "./model";
import { findSubscribable, offersMail, readChoices, subscribe } from "./service";

const success = true as const;
/** The same for every address, so that it does not tell who is subscribed. */
const ACCEPTED = "A message with the next step is on its way to this address.";

const SubscribeOffer = object({
  mail: boolean("Whether the page sends mails.", true),
  components: list(
    object({
      key: text("The component's key.", "kqzvhwmxbrtd"),
      name: text("Its name.", "Payments API"),
      group: text("The heading that it is under; empty for none.", "Shop"),
    }),
    "What a subscription can be limited to.",
  ),
});

/** The calls of visitors. */
export const subscribeRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/status", tags: ["Status page"] })
    .get(
      "/subscribe",
      async ({ query, request, set }) => {
        if (!(await visit(deps, query, request)).isPublic) set.headers["referrer-policy"] = "no-referrer";
        const choices = await readChoices(deps, await findSubscribable(deps, query.page));
        const components = choices.map(({ key, name, group }) => ({ key, name, group }));
        return { success, mail: offersMail(deps), components };
      },
      {
        query: pageQuery,
        detail: describe({
          id: "getSubscribeOffer",
          summary: "Get what visitors can subscribe to",
          description: "Mails need SMTP_URL and PUBLIC_URL; webhooks are always offered.",
          access: "public",
          answer: { description: "The offer.", schema: ok(SubscribeOffer.properties) },
          refusals: PAGE_REFUSALS,
        }),
      },
    )
    .post(
      "/subscribe",
      async ({ query, body, request, server, status }) => {
        await visit(deps, query, request);
        const page = await findSubscribable(deps, query.page);
        const stated = acceptedLanguage(request.headers.get("accept-language"));
        await subscribe(deps, page, body, {
          address: clientAddress(deps, request, server),
          language: stated ?? (await languageOf(deps, page)),
        });
        return status(202, { success, message: ACCEPTED });
      },
      {
        query: pageQuery,
        body: subscribeModel,
        detail: describe({
          id: "subscribeToStatusPage",
          summary: "Subscribe to a status page",
          description: `By mail or webhook; also as \`POST /status/NAME/subscribe\`. A mail has a link that confirms the address; a webhook confirms by its answer. The answer does not tell whether an address is subscribed. ${LIMITS.perClient} an hour from one client, ${LIMITS.perPage} an hour for a page.`,
          access: "public",
          answer: {
            status: 202,
            description: "Accepted.",
            schema: ok({ message: text("What happens next.", ACCEPTED) }),
          },
          refusals: [...PAGE_REFUSALS, "no_mail_subscriptions", "too_many_subscribers", "rate_limited"],
        }),
      },
    );

const Counts = object({
  email: integer("Confirmed addresses of mails.", 12),
  webhook: integer("Confirmed webhooks.", 2),
  unconfirmed: integer("Those that wait for their confirmation.", 1),
  ended: integer("Those that too many refusals have ended.", 0),
});

/** The calls about the subscribers of a team's page. */
export const subscriberRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/pages", tags: ["Status page"] })
    .use(signedIn(deps))
    .get(
      "/:id/subscribers",
      async ({ user, params, query }) => ({ success, ...(await listSubscribers(deps, user, params.id, query)) }),
      {
        params: idParam("The page's id."),
        query: subscribersQuery,
        detail: describe({
          id: "listSubscribers",
          summary: "List subscribers of a status page",
          description: `The latest first. A page may have ${LIMITS.subscribers}. Members who may only read see parts of addresses.`,
          access: "user",
          answer: {
            description: "The subscribers.",
            schema: ok({
              subscribers: list(SubscriberSchema),
              total: integer("How many there are with this search.", 15),
              counts: Counts,
            }),
          },
        }),
      },
    )
    .get(
      "/:id/subscribers/export",
      async ({ user, params }) => {
        const { name, text } = await deps.costlyCalls.run(user.id, () => exportSubscribers(deps, user, params.id));
        const headers = {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": `attachment; filename="${name}"`,
        };
        return new Response(text, { headers });
      },
      {
        params: idParam("The page's id."),
        detail: describe({
          id: "exportSubscribers",
          summary: "Export subscribers of a status page",
          description: "All of them as a CSV file.",
          access: "user",
          answer: { description: "The file.", type: "text/csv", example: "kind,address,…" },
          refusals: ["rate_limited"],
        }),
      },
    )
    .delete(
      "/:id/subscribers/:subscriber",
      ({ user, params }) => deleteSubscriber(deps, user, params.id, params.subscriber).then(() => ({ success })),
      {
        params: subscriberParams,
        detail: describe({
          id: "deleteSubscriber",
          summary: "Delete a subscriber of a status page",
          description: "It gets nothing more, also of what waits to be sent.",
          access: "user",
          answer: { description: "The subscriber is deleted.", schema: ok() },
        }),
      },
    );
