import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import { signedIn } from "../auth/guard";
import { badgeOf } from "./badge";
import { badgeParams, badgeQuery, configModel, configQuery, pageQuery } from "./model";
import { publishedPage } from "./publish";
import { readConfig, saveConfig } from "./service";

const success = true as const;

/** What everybody may ask for: a page's data, and its stylesheet. */
const publicRoutes = (deps: Deps) => {
  const find = async (slug: string | undefined) => {
    const page = await publishedPage(deps, slug);
    if (!page) throw notFound("Status page");
    return page;
  };
  return new Elysia()
    .get("/data", async ({ query, request }) => (await find(query.page)).json(request), { query: pageQuery })
    .get("/style.css", async ({ query, request }) => (await find(query.page)).css(request), { query: pageQuery });
};

export const statusRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/status" })
    .use(publicRoutes(deps))
    .use(signedIn(deps))
    .get("/config", async ({ user, query }) => ({ success, config: await readConfig(deps, user, query.search) }), {
      query: configQuery,
    })
    .post(
      "/config",
      async ({ user, body }) => {
        const { cssDropped } = await saveConfig(deps, user, body);
        return { success, message: "The status page is saved.", css_dropped: cssDropped };
      },
      { body: configModel },
    );

/** Badges stand outside of /api, where pictures are looked for. */
export const badgeRoutes = (deps: Deps) =>
  new Elysia().get(
    "/badge/:file",
    async ({ params, query, set }) => {
      const [, digits] = /^(\d+)\.svg$/.exec(params.file) ?? [];
      if (!digits || !Number.isSafeInteger(Number(digits))) throw new AppError("invalid_id");
      const badge = await badgeOf(deps, Number(digits), query);
      // A refusal is no picture, and is not to be kept.
      set.headers["content-type"] = "image/svg+xml; charset=utf-8";
      set.headers["cache-control"] = "public, max-age=30";
      return badge;
    },
    { params: badgeParams, query: badgeQuery },
  );
