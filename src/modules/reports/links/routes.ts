import { Elysia, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, list, ok, text } from "../../../server/answers";
import { field, idParam } from "../../../server/schema";
import { signedIn } from "../../accounts/guard";
import { linkModel } from "../model";
import { Report } from "../report";
import type { ReadPageTargets } from "../targets";
import { createLink, deleteLink, listLinks, ReportLink, readShared } from "./service";

const success = true as const;

const ownRoutes = (deps: Deps, readPageTargets: ReadPageTargets) =>
  new Elysia()
    .use(signedIn(deps))
    .get("/links", async ({ user }) => ({ success, links: await listLinks(deps, user.teamId) }), {
      detail: describe({
        id: "listReportLinks",
        summary: "List links to reports",
        description: "Your own, the newest first, without their tokens.",
        access: "user",
        answer: { description: "The links.", schema: ok({ links: list(ReportLink) }) },
      }),
    })
    .post(
      "/links",
      async ({ user, body, status }) =>
        status(201, { success, ...(await createLink(deps, user, body, readPageTargets)) }),
      {
        body: linkModel,
        detail: describe({
          id: "createReportLink",
          summary: "Create a link to a report",
          description:
            "Everyone who has the link sees the report of your own monitors and servers, without signing in. The token is in this answer only; the page of the link is `/reports/shared/{token}`.",
          access: "user",
          answer: {
            status: 201,
            description: "The link and its token.",
            schema: ok({
              token: text("The secret part of its address.", "wkr_6fXw2m7Vb0sPq1Zt9yJk4LhD3cN8eRgAuIoMxTzBvWE"),
              link: ReportLink,
            }),
          },
          refusals: ["not_found", "too_many_report_links"],
        }),
      },
    )
    .delete(
      "/links/:id",
      async ({ user, params }) => {
        await deleteLink(deps, user, params.id);
        return { success };
      },
      {
        params: idParam("The link's id."),
        detail: describe({
          id: "deleteReportLink",
          summary: "Revoke a link to a report",
          description: "Its address answers 404 from then on.",
          access: "user",
          answer: { description: "It is revoked.", schema: ok() },
        }),
      },
    );

/** The links of a user, and the report of a link, which needs no session. */
export const linkRoutes = (deps: Deps, readPageTargets: ReadPageTargets) =>
  new Elysia({ prefix: "/api/reports", tags: ["Reports"] }).use(ownRoutes(deps, readPageTargets)).get(
    "/shared/:token",
    async ({ params, set }) => {
      // Also of a link that is revoked.
      set.headers["cache-control"] = "no-store";
      return { success, ...(await readShared(deps, params.token, readPageTargets)) };
    },
    {
      params: t.Object({ token: field(t.String({ maxLength: 100 }), "The token of the link.", "wkr_6fXw2m7V") }),
      detail: describe({
        id: "getSharedReport",
        summary: "Get the report of a link",
        description: "Not to be cached. Without why something was down, unless its owner allows it.",
        access: "public",
        answer: {
          description: "The report, with the name of the link.",
          schema: ok({ name: text("The name of the link; may be empty.", "Acme"), report: Report }),
        },
        refusals: ["not_found", "rate_limited"],
      }),
    },
  );
