import { Elysia, type Static, t } from "elysia";
import type { Deps } from "../../../core/deps";
import { notFound, validation } from "../../../core/errors";
import type { Viewer } from "../../../db/owner";
import { describe, list, ok, text } from "../../../server/answers";
import { field, idParam, oneOf } from "../../../server/schema";
import { KEY_SCOPES, STORED_SCOPES, type StoredScope } from "../../../shared/accounts/key-scopes";
import { LIMITS } from "../../../shared/limits";
import { requireSession, signedIn } from "../guard";
import { assertProved } from "../proof/service";
import { createKey, deleteKey, ListedApiKey, listKeys, listTeamKeys, NewApiKey, TeamApiKey } from "./service";

const keyModel = t.Object({
  name: field(
    t.String({
      pattern: "^\\s*\\S",
      maxLength: LIMITS.keyName,
      error: `expected 1 to ${LIMITS.keyName} characters`,
    }),
    "What the key is for.",
    "Backup script",
  ),
  scopes: t.Optional(
    field(
      t.Array(oneOf(KEY_SCOPES), {
        minItems: 1,
        maxItems: KEY_SCOPES.length,
        error: `expected a list of ${KEY_SCOPES.join(", ")}`,
      }),
      "What it may do; each call names its scopes in `x-scopes`. `write` has all of them.",
      ["read"],
    ),
  ),
  scope: t.Optional(
    field(
      oneOf(["read", "full"]),
      "In place of `scopes`: `read`, or `full` for `write` without `enroll` and `channels`.",
    ),
  ),
  team_id: t.Optional(
    field(
      t.Union([t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), t.Null()], {
        error: "expected the id of a team, or null",
      }),
      "A team of yours that the key is limited to. It then acts with your role there and without rights of an administrator. Null or left out: all of your teams.",
      null,
    ),
  ),
  expires_in_days: t.Optional(
    field(
      t.Union([t.Integer({ minimum: 1, maximum: 3650 }), t.Null()], {
        error: "expected 1 to 3650 days, or null for never",
      }),
      "Days until the key expires; it never does when this is null or left out. An expired key is listed for 30 more days.",
    ),
  ),
});

/** The scopes of a new key, each once. @throws {AppError} validation */
const readScopes = ({ scope, scopes }: Pick<Static<typeof keyModel>, "scope" | "scopes">): StoredScope[] => {
  const sent: readonly StoredScope[] = scopes ?? (scope ? [scope] : []);
  if ((scope === undefined) === (scopes === undefined))
    throw validation([{ path: "scopes", message: "scopes: expected either scopes or scope" }]);
  return STORED_SCOPES.filter((one) => sent.includes(one));
};

/** Asserts that a key can be limited to a team. @throws {AppError} not_found */
const requireMembership = ({ teams }: Viewer, teamId: number | null | undefined): void => {
  if (typeof teamId === "number" && !teams.has(teamId)) throw notFound("Team");
};

const success = true as const;

/** The API keys of a user. A key cannot manage keys, so that a stolen one cannot create another before it is revoked. */
export const keyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/keys", tags: ["Users and keys"] })
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/", async ({ user }) => ({ success, keys: await listKeys(deps, user.id) }), {
      detail: describe({
        id: "listKeys",
        summary: "List API keys",
        description: "Your own, newest first, without the keys themselves.",
        access: "session",
        answer: { description: "The keys.", schema: ok({ keys: list(ListedApiKey) }) },
      }),
    })
    .post(
      "/",
      async ({ user, provedAt, body, status }) => {
        assertProved(deps, provedAt);
        requireMembership(user, body.team_id);
        const made = await createKey(deps, user, { ...body, scopes: readScopes(body) });
        return status(201, { success, ...made });
      },
      {
        body: keyModel,
        detail: describe({
          id: "createKey",
          summary: "Create an API key",
          description:
            "The key itself is shown only now. It is valid until it is revoked or expires, also after a change of the password. No key may change users, keys or registration. A key without `write` sees no header values, bodies, or secrets in addresses of monitors.",
          access: "session",
          answer: {
            status: 201,
            description: "The key was created.",
            schema: ok({ key: text("The key, for the Authorization header.", "wk_…"), data: NewApiKey }),
          },
          refusals: ["proof_required", "quota_reached", "not_found"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await deleteKey(deps, user, params.id);
        return { success };
      },
      {
        params: idParam("The key's id."),
        detail: describe({
          id: "deleteKey",
          summary: "Revoke an API key",
          description:
            "One of yours, or one that is limited to a team that you own. Calls with it are refused from now on, and streams that it opened end.",
          access: "session",
          answer: { description: "The key was revoked.", schema: ok() },
        }),
      },
    );

/** The API keys that are limited to a team. */
export const teamKeyRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/teams", tags: ["Teams"] })
    .use(signedIn(deps))
    .derive(requireSession)
    .get("/:id/keys", async ({ user, params }) => ({ success, keys: await listTeamKeys(deps, user, params.id) }), {
      params: idParam("The team's id."),
      detail: describe({
        id: "listTeamKeys",
        summary: "List a team's API keys",
        description: "Those that its members have limited to it, newest first. For its owners, who may revoke them.",
        access: "session",
        answer: { description: "The keys.", schema: ok({ keys: list(TeamApiKey) }) },
        refusals: ["role_insufficient"],
      }),
    });
