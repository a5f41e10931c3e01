import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { hostnameOf } from "../../../lib/host";
import { describe, list, ok } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { PAGE_LIMITS } from "../../../shared/status/components";
import { signedIn } from "../../accounts/guard";
import { readData, sections } from "../publish";
import { StatusPageData } from "../sections/page-data";
import { newPageModel, pageModel } from "./model";
import { PageSchema, PageSummarySchema } from "./present";
import { createPage, deletePage, draftOf, listPages, readPage, updatePage } from "./service";

const success = true as const;

/** The version in an If-Match header, which is a time and may be quoted. */
const versionOf = ({ headers }: Request) => {
  const match = headers.get("if-match")?.replace(/^(?:W\/)?"(.*)"$/, "$1");
  return match === undefined ? {} : { updated_at: match };
};

/** A caller with the host name of the hub in the request. */
const atHost = <User extends object>(user: User, { headers }: Request) => ({
  ...user,
  host: hostnameOf(headers.get("host")) ?? "",
});

const DOMAIN_REFUSALS = ["domain_taken", "domain_own", "domain_invalid", "domain_without_public_url"] as const;

/** The calls that read and save the status pages of a team. */
export const pageRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/pages", tags: ["Status page"] })
    .use(signedIn(deps))
    .get("/", async ({ user }) => ({ success, pages: await listPages(deps, user) }), {
      detail: describe({
        id: "listPages",
        summary: "List status pages",
        description: "Those of the team, the first one first.",
        access: "user",
        answer: { description: "The pages.", schema: ok({ pages: list(PageSummarySchema) }) },
      }),
    })
    .post(
      "/",
      async ({ user, body, request, status }) =>
        status(201, { success, page: await createPage(deps, atHost(user, request), body) }),
      {
        body: newPageModel,
        detail: describe({
          id: "createPage",
          summary: "Create a status page",
          description: `It is public at once. A team may have ${PAGE_LIMITS.pages}, each with ${PAGE_LIMITS.components} components.`,
          access: "user",
          answer: { status: 201, description: "The page.", schema: ok({ page: PageSchema }) },
          refusals: ["address_taken", "too_many_pages", ...DOMAIN_REFUSALS],
        }),
      },
    )
    .guard({ params: idParam("The page's id.") })
    .get("/:id", async ({ user, params }) => ({ success, page: await readPage(deps, user, params.id) }), {
      detail: describe({
        id: "readPage",
        summary: "Read a status page",
        description: "With its components.",
        access: "user",
        answer: { description: "The page.", schema: ok({ page: PageSchema }) },
      }),
    })
    .put(
      "/:id",
      async ({ user, params, body, request }) => ({
        success,
        page: await updatePage(deps, atHost(user, request), params.id, { ...body, ...versionOf(request) }),
      }),
      {
        body: pageModel,
        detail: describe({
          id: "updatePage",
          summary: "Change a status page",
          description: "Fields that are left out keep their values.",
          access: "user",
          answer: { description: "The page.", schema: ok({ page: PageSchema }) },
          refusals: ["rule_changed", ...DOMAIN_REFUSALS],
        }),
      },
    )
    .post(
      "/:id/preview",
      async ({ user, params, body }) => {
        const read = async () =>
          readData(deps, await draftOf(deps, user, params.id, body), sections, { forOwner: true });
        return { success, data: await deps.costlyCalls.run(user.id, read) };
      },
      {
        body: pageModel,
        detail: describe({
          id: "previewPage",
          summary: "Preview a status page",
          description: "What it would show with a change. Nothing is saved.",
          access: "user",
          answer: { description: "Everything that the page would show.", schema: ok({ data: StatusPageData }) },
          refusals: ["rate_limited"],
        }),
      },
    )
    .delete("/:id", ({ user, params }) => deletePage(deps, user, params.id).then(() => ({ success })), {
      detail: describe({
        id: "deletePage",
        summary: "Delete a status page",
        description: "Its address answers 404 then. Of the others of the team, the oldest is the first.",
        access: "user",
        answer: { description: "The page is deleted.", schema: ok() },
      }),
    });
