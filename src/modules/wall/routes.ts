import { Elysia, t } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError, notFound } from "../../core/errors";
import { type Viewer, viewerOf } from "../../db/owner";
import { isoTime } from "../../lib/time";
import { describe, list, ok, text, time } from "../../server/answers";
import { isNotModified } from "../../server/http-encoding";
import { field, idParam } from "../../server/schema";
import { LIMITS } from "../../shared/limits";
import { TAG_LIMITS, tagText } from "../../shared/tags";
import { authenticate, bearerOf, challengeOf, requireSession, signedIn } from "../accounts/guard";
import { readTagFilter, tagFilter, type WantedTag } from "../tags/model";
import { createWallKey, deleteWallKey, findWallKey, isWallKey, listWallKeys, WallKey } from "./keys";
import { readWall, wallFields } from "./read";

const success = true as const;

const wallKeyModel = t.Object({
  name: field(
    t.String({
      pattern: "^\\s*\\S",
      maxLength: LIMITS.keyName,
      error: `expected 1 to ${LIMITS.keyName} characters`,
    }),
    "Where the wall is shown.",
    "Office television",
  ),
  tag: t.Optional(
    field(
      t.Union([t.String({ maxLength: TAG_LIMITS.filter }), t.Null()], {
        error: `expected a tag of at most ${TAG_LIMITS.filter} characters, or null for everything`,
      }),
      "Shows only monitors and servers with this tag: its name, or `name:value`. Everything when it is null or left out.",
      "production",
    ),
  ),
});

const description = describe({
  id: "getWall",
  summary: "Get the wall",
  description:
    "What the view for televisions shows, with names, states, reasons and times, and without addresses. Besides a session or an API key, the key in the address of a wall (`createWall`) is accepted as bearer token: it shows its owner's monitors and servers, or those with its tag, and a revoked one is answered 404. With an ETag, which does not change with `now`.",
  access: "user",
  answer: [
    {
      description: "Counts, problems and the names of what is well.",
      schema: ok({
        now: time("The hub's time. Durations are measured against it, because the caller's clock may be wrong."),
        ...wallFields,
      }),
    },
    { status: 304, description: "Unchanged since the ETag in If-None-Match." },
  ],
  refusals: ["not_found"],
});

type Shown = { viewer: Viewer; tags: readonly WantedTag[] };

/** The targets that a request may see, by the key of a wall, a session or an API key; or the error for a refusal. */
const readShown = async (
  deps: Deps,
  request: Request,
  context: Parameters<typeof authenticate>[2],
): Promise<Shown | AppError> => {
  const secret = bearerOf(request.headers.get("authorization") ?? undefined);
  if (isWallKey(secret)) {
    const key = await findWallKey(deps, secret);
    return key ? { viewer: viewerOf(key.owner), tags: key.tags } : notFound("This wall");
  }
  const caller = await authenticate(deps, request, context);
  return caller instanceof AppError ? caller : { viewer: caller.user, tags: [] };
};

/** The view for televisions. */
export const wallRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/wall", tags: ["System"] }).get(
    "/",
    async ({ request, server, route, set }) => {
      const shown = await readShown(deps, request, { server, route });
      if (shown instanceof AppError) {
        if (shown.status === 401) set.headers["www-authenticate"] = challengeOf(request, shown.code);
        throw shown;
      }
      const [tag] = shown.tags;
      const wall = {
        tag: tag ? tagText(tag) : null,
        ...(await readWall(deps, shown.viewer, [...shown.tags, ...readTagFilter(request)])),
      };
      const etag = `W/"${Bun.hash(JSON.stringify(wall)).toString(36)}"`;
      set.headers.etag = etag;
      if (isNotModified(request, etag)) {
        set.status = 304;
        return null as never;
      }
      return { success, now: isoTime(deps.clock.now()), ...wall };
    },
    { query: t.Object({ tag: tagFilter }), detail: description },
  );

/** The addresses of a user's walls. An API key cannot create one, as it cannot create API keys. */
export const wallKeyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/walls", tags: ["System"] })
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/", async ({ user }) => ({ success, walls: await listWallKeys(deps, user.teamId) }), {
      detail: describe({
        id: "listWalls",
        summary: "List wall addresses",
        description: "Your own, newest first, without their keys.",
        access: "session",
        answer: { description: "The addresses.", schema: ok({ walls: list(WallKey) }) },
      }),
    })
    .post(
      "/",
      async ({ user, body, status }) => {
        const made = await createWallKey(deps, user, body);
        return status(201, { success, path: `/wall?key=${made.key}`, ...made });
      },
      {
        body: wallKeyModel,
        detail: describe({
          id: "createWall",
          summary: "Create a wall address",
          description:
            "An address that shows the wall without a session, for a television. Its key is shown only now, and is valid until it is revoked. It shows names, states and reasons, and changes nothing.",
          access: "session",
          answer: {
            status: 201,
            description: "The address was created.",
            schema: ok({
              path: text("The path and query to open on the television.", "/wall?key=wall_…"),
              key: text("The key in it.", "wall_…"),
              data: WallKey,
            }),
          },
          refusals: ["too_many_walls"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteWallKey(deps, user, params.id);
        return { success };
      },
      {
        params: idParam("The id of the address."),
        detail: describe({
          id: "deleteWall",
          summary: "Revoke a wall address",
          description: "The address is answered 404 from now on, and open walls show nothing within seconds.",
          access: "session",
          answer: { description: "The address was revoked.", schema: ok() },
        }),
      },
    );
