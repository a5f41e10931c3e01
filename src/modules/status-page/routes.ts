import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import { describe, ok, text } from "../../server/answers";
import { signedIn } from "../accounts/guard";
import { marked } from "./access/gate";
import { findPage, PAGE_REFUSALS, UNCHANGED } from "./access/visit";
import { badgeOf } from "./badge";
import { feedRoutes } from "./feeds/routes";
import { StatusHistory } from "./history/history";
import { PublicIncident } from "./incidents/present";
import { badgeParams, badgeQuery, configModel, configQuery, historyQuery, incidentParams, pageQuery } from "./model";
import { readData, sections } from "./publish";
import { StatusPageData } from "./sections/page-data";
import { cssDropped, draftPage, readConfig, StatusPageConfig, saveConfig } from "./service";

const success = true as const;
/** The data and the stylesheet of a published page. */
const publicRoutes = (deps: Deps) =>
  new Elysia()
    .get(
      "/data",
      async ({ query, request, set }) => {
        // The data is public and the same for every caller, so pages on other origins may read it.
        set.headers["access-control-allow-origin"] = "*";
        const { pass, page } = await findPage(deps, query, request);
        return marked(pass, await page.json(request));
      },
      {
        query: pageQuery,
        detail: describe({
          id: "getStatusPage",
          summary: "Get a status page",
          description: "Answers are at most five seconds old and have an ETag. Pages on other origins may read them.",
          access: "public",
          answer: [
            {
              description: "Everything that the page shows.",
              schema: ok({ data: StatusPageData }),
            },
            UNCHANGED,
          ],
          refusals: PAGE_REFUSALS,
        }),
      },
    )
    .get(
      "/incidents/:key",
      async ({ params, query, request, set }) => {
        set.headers["access-control-allow-origin"] = "*";
        const { pass, page } = await findPage(deps, query, request);
        const incident = await page.incident(params.key);
        if (!incident) throw notFound("Incident");
        if (!pass.isPublic) set.headers["referrer-policy"] = "no-referrer";
        return { success, incident };
      },
      {
        params: incidentParams,
        query: pageQuery,
        detail: describe({
          id: "getStatusIncident",
          summary: "Get an incident of a status page",
          description: "With all its updates. Pages on other origins may read it.",
          access: "public",
          answer: { description: "The incident.", schema: ok({ incident: PublicIncident }) },
          refusals: PAGE_REFUSALS,
        }),
      },
    )
    .get(
      "/history",
      async ({ query: { page: slug, key, ...asked }, request, set }) => {
        set.headers["access-control-allow-origin"] = "*";
        const { pass, page } = await findPage(deps, { ...(slug !== undefined && { page: slug }), key }, request);
        const history = await page.history(asked);
        if (!history) throw notFound("History");
        if (!pass.isPublic) set.headers["referrer-policy"] = "no-referrer";
        return { success, history };
      },
      {
        query: historyQuery,
        detail: describe({
          id: "getStatusHistory",
          summary: "Get a month of a status page's history",
          description: "Or a day. Months begin in the zone of the page. Pages on other origins may read it.",
          access: "public",
          answer: { description: "Its incidents, outages and maintenance.", schema: ok({ history: StatusHistory }) },
          refusals: PAGE_REFUSALS,
        }),
      },
    )
    .get(
      "/style.css",
      async ({ query, request }) => {
        const { pass, page } = await findPage(deps, query, request);
        return marked(pass, await page.css(request));
      },
      {
        query: pageQuery,
        detail: describe({
          id: "getStatusStyle",
          summary: "Get a status page's stylesheet",
          description: "Without the parts that load or run something.",
          access: "public",
          answer: [
            { type: "text/css", example: ".hero {\ncolor: #204060;\n}", description: "The stylesheet." },
            UNCHANGED,
          ],
          refusals: PAGE_REFUSALS,
        }),
      },
    );

export const statusRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/status", tags: ["Status page"] })
    .use(publicRoutes(deps))
    .use(feedRoutes(deps))
    .use(signedIn(deps))
    .get("/config", async ({ user, query }) => ({ success, config: await readConfig(deps, user, query.search) }), {
      query: configQuery,
      detail: describe({
        id: "getStatusConfig",
        summary: "Get your status page's configuration",
        description: "At most 1,000 monitors and servers are listed, selected ones first.",
        access: "user",
        answer: {
          description: "The configuration, and what may be selected.",
          schema: ok({ config: StatusPageConfig }),
        },
      }),
    })
    .post(
      "/config",
      async ({ user, body }) => {
        const { cssDropped } = await saveConfig(deps, user, body);
        return { success, message: "The status page is saved.", css_dropped: cssDropped };
      },
      {
        body: configModel,
        detail: describe({
          id: "saveStatusConfig",
          summary: "Publish your status page",
          description: "Fields that are left out keep their values.",
          access: "user",
          answer: {
            description: "The page was saved.",
            schema: ok({ message: text("A confirmation.", "The status page is saved."), css_dropped: cssDropped }),
          },
          refusals: ["conflict"],
        }),
      },
    )
    .post(
      "/preview",
      async ({ user, body }) => {
        const read = async () => readData(deps, await draftPage(deps, user, body), sections, { forOwner: true });
        return { success, data: await deps.costlyCalls.run(user.id, read) };
      },
      {
        body: configModel,
        detail: describe({
          id: "previewStatusPage",
          summary: "Preview your status page",
          description: "What the page would show with a configuration. Nothing is saved.",
          access: "user",
          answer: { description: "Everything that the page would show.", schema: ok({ data: StatusPageData }) },
          refusals: ["rate_limited"],
        }),
      },
    );

/** Badges are outside /api, like other images. */
export const badgeRoutes = (deps: Deps) =>
  new Elysia({ tags: ["Status page"] }).get(
    "/badge/:file",
    async ({ params, query, set }) => {
      const [, digits] = /^(\d+)\.svg$/.exec(params.file) ?? [];
      if (!digits || !Number.isSafeInteger(Number(digits))) throw new AppError("invalid_id");
      const badge = await badgeOf(deps, Number(digits), query);
      // A refusal is no picture, and is not to be kept.
      set.headers["content-type"] = "image/svg+xml; charset=utf-8";
      set.headers["cache-control"] = query.key === undefined ? "public, max-age=30" : "private, max-age=30";
      if (query.key !== undefined) set.headers["referrer-policy"] = "no-referrer";
      return badge;
    },
    {
      params: badgeParams,
      query: badgeQuery,
      detail: describe({
        id: "getBadge",
        summary: "Get a monitor's badge",
        description:
          "For monitors on a public status page, or on a private one with its key. Badges are at most five seconds old.",
        access: "public",
        answer: { type: "image/svg+xml", example: "<svg …>", description: "The image." },
        refusals: ["invalid_id", "not_found", "unavailable"],
      }),
    },
  );
