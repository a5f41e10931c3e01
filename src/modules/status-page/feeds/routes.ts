import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { notFound } from "../../../core/errors";
import { acceptedLanguage } from "../../../lib/headers/accepted-language";
import { describe } from "../../../server/answers";
import { marked } from "../access/gate";
import { findPage, PAGE_REFUSALS, UNCHANGED, visit } from "../access/visit";
import type { FeedFormat } from "../feed";
import { embedQuery, feedQuery, pageBadgeParams, pageQuery } from "../model";
import type { Published } from "../publish";
import { publishedCalendar } from "./calendar";
import { embedOf } from "./embed";
import { pageBadge } from "./page-badge";

type Query = Static<typeof feedQuery>;

/** The language that a request asks for, or else of the page. */
const languageOf = ({ lang }: Query, { headers }: Request, { language }: Pick<Published, "language">) =>
  lang ?? acceptedLanguage(headers.get("accept-language")) ?? language;

const answerFeed = async (deps: Deps, query: Query, request: Request, format: FeedFormat): Promise<Response> => {
  const { pass, page } = await findPage(deps, query, request);
  const feed = await page.feed?.(languageOf(query, request, page), format);
  if (!feed) throw notFound("Status page");
  return marked(pass, await feed(request));
};

/** The feeds and the calendar of a page. */
const subscribed = (deps: Deps) =>
  new Elysia()
    .get("/feed.rss", ({ query, request }) => answerFeed(deps, query, request, "rss"), {
      query: feedQuery,
      detail: describe({
        id: "getStatusRss",
        summary: "Get a status page's feed as RSS",
        description: "The entries of the Atom feed.",
        access: "public",
        answer: [{ type: "application/rss+xml", example: "<rss …>", description: "The feed." }, UNCHANGED],
        refusals: PAGE_REFUSALS,
      }),
    })
    .get("/feed.xml", ({ query, request }) => answerFeed(deps, query, request, "atom"), {
      query: feedQuery,
      detail: describe({
        id: "getStatusFeed",
        summary: "Get a status page's feed",
        description:
          "The incidents, outages and planned maintenance of a page as an Atom feed, the latest change first, at most 50. An entry keeps its id.",
        access: "public",
        answer: [{ type: "application/atom+xml", example: "<feed …>", description: "The feed." }, UNCHANGED],
        refusals: PAGE_REFUSALS,
      }),
    })
    .get(
      "/maintenance.ics",
      async ({ query, request }) => {
        const pass = await visit(deps, query, request);
        const calendar = await publishedCalendar(deps, pass, (page) => languageOf(query, request, page));
        if (!calendar) throw notFound("Status page");
        return marked(pass, await calendar(request));
      },
      {
        query: feedQuery,
        detail: describe({
          id: "getStatusCalendar",
          summary: "Get a status page's maintenance calendar",
          description: "The maintenance of the next year: at most 20 events of a window, and 500 in all.",
          access: "public",
          answer: [{ type: "text/calendar", example: "BEGIN:VCALENDAR…", description: "The calendar." }, UNCHANGED],
          refusals: PAGE_REFUSALS,
        }),
      },
    );

/** Parts of a page that are shown on other sites. */
const shown = (deps: Deps) =>
  new Elysia()
    .get(
      "/embed",
      async ({ query, request }) => {
        const { pass, page } = await findPage(deps, query, request);
        const options = { theme: query.theme ?? "auto", language: languageOf(query, request, page) };
        return marked(pass, await embedOf(deps, pass, page, options)(request));
      },
      {
        query: embedQuery,
        detail: describe({
          id: "getStatusEmbed",
          summary: "Get a status page's state for a frame",
          description: "A document of 300 × 40 pixels, which any site may frame.",
          access: "public",
          answer: [{ type: "text/html", example: "<!doctype html>…", description: "The document." }, UNCHANGED],
          refusals: PAGE_REFUSALS,
        }),
      },
    )
    .get(
      "/badge/:file",
      async ({ params, query, request }) => {
        const { pass, page } = await findPage(deps, query, request);
        return marked(pass, await (await pageBadge(deps, pass, page, params.file))(request));
      },
      {
        params: pageBadgeParams,
        query: pageQuery,
        detail: describe({
          id: "getStatusBadge",
          summary: "Get the badge of a status page or component",
          access: "public",
          description: "Its present state.",
          answer: [{ type: "image/svg+xml", example: "<svg …>", description: "The image." }, UNCHANGED],
          refusals: PAGE_REFUSALS,
        }),
      },
    );

/** The calls about a page for other programs and sites. */
export const feedRoutes = (deps: Deps) => new Elysia().use(subscribed(deps)).use(shown(deps));
