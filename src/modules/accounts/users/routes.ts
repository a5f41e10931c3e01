import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { describe, integer, list, ok, optional, text } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { MINUTE } from "../../../shared/limits";
import type { SecurityEventKind } from "../../../shared/security-events";
import { createAccount, PublicUser, presentUser, setPassword, type User } from "../account/service";
import { clientAddress } from "../client-address";
import { requireAdmin, requireSession, signedIn, tokenSigner } from "../guard";
import { queueMail } from "../mail/send";
import { recordUserAction } from "../security-log";
import { renewSession } from "../sessions/service";
import { confirmPassword } from "../sign-in/sign-in";
import {
  changeModel,
  currentPasswordOf,
  newUserModel,
  pageQuery,
  parsePasswordChange,
  passwordChangeModel,
} from "./model";
import { changeUser, countDeleted, findVisible, isRenaming, listUsers, Owned, removeUser } from "./service";

const success = true as const;
const idParams = idParam("The user's id.");
const renewed = optional(
  text(
    "For your own account: the token of a new session, which replaces the one that ended.",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
  ),
);
const message = (example: string) => text("A confirmation.", example);

/** The list, for administrators. */
const collection = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireAdmin)
    .get("/", async ({ query }) => ({ success, ...(await listUsers(deps, query)) }), {
      query: pageQuery,
      detail: describe({
        id: "listUsers",
        summary: "List users",
        description: "For administrators: every account, without what it owns.",
        access: "admin",
        answer: {
          description: "A page of users, in the order of their registration.",
          schema: ok({ total: integer("How many users there are.", 3), users: list(PublicUser) }),
        },
      }),
    });

/** One user, for themself and for administrators. */
const reading = (deps: Deps) =>
  new Elysia().use(signedIn(deps)).get(
    "/:id",
    async ({ user: viewer, params }) => {
      const user = await findVisible(deps, viewer, params.id);
      return { success, user: presentUser(user), owns: await countDeleted(deps, user) };
    },
    {
      params: idParams,
      detail: describe({
        id: "getUser",
        summary: "Get a user",
        description: "Yourself; administrators may get every user.",
        access: "user",
        answer: {
          description: "The user, and how much would be deleted together with the account.",
          schema: ok({ user: PublicUser, owns: Owned }),
        },
      }),
    },
  );

/** Creating and deleting users, for administrators. Keys are refused: revoking a key does not undo these changes. */
const administration = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .post(
      "/",
      async ({ user: viewer, body, status, request, server }) => {
        const user = await createAccount(deps, { role: "user", ...body });
        await recordUserAction(
          deps,
          { user: viewer, request, server },
          "user_created",
          `${user.username} (${user.role})`,
        );
        return status(201, { success, message: "The user is made.", user: presentUser(user) });
      },
      {
        body: newUserModel,
        detail: describe({
          id: "createUser",
          summary: "Create a user",
          description: "For administrators, also while registration is closed. The user can sign in at once.",
          access: "adminSession",
          answer: {
            status: 201,
            description: "The user was created.",
            schema: ok({ message: message("The user is made."), user: PublicUser }),
          },
          refusals: ["username_not_allowed", "weak_password", "username_taken", "email_taken", "rate_limited"],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params, request, server }) => {
        const removed = await findVisible(deps, user, params.id);
        await removeUser(deps, user, params.id);
        await recordUserAction(deps, { user, request, server }, "user_deleted", removed.username);
        return { success };
      },
      {
        params: idParams,
        detail: describe({
          id: "deleteUser",
          summary: "Delete a user",
          description:
            "All the user's data is deleted, too: monitors, servers, channels, keys, the status page, and their history. So are teams without another member; in others, an owner takes over what the user made.",
          access: "adminSession",
          answer: { description: "The user was deleted.", schema: ok() },
          refusals: ["cannot_delete_self", "last_admin", "last_owner"],
        }),
      },
    );

/** The security events of a changed user. */
const changesOf = (before: User, after: User) => {
  const changes: [SecurityEventKind, string][] = [];
  const renamed = [
    ...(before.username === after.username ? [] : [`${before.username} → ${after.username}`]),
    ...(before.email === after.email ? [] : [`${before.email ?? "–"} → ${after.email ?? "–"}`]),
  ];
  if (renamed.length > 0) changes.push(["name_or_email_changed", [before.username, ...renamed].join(", ")]);
  if (before.role !== after.role) changes.push(["role_changed", `${after.username}: ${before.role} → ${after.role}`]);
  return changes;
};

/**
 * Refuses a request whose caller does not know their current password, and records that in the security log.
 * @throws {AppError} wrong_password, rate_limited
 */
const requireCurrentPassword = async (
  deps: Deps,
  context: Parameters<typeof recordUserAction>[1] & { user: User },
  password: string,
): Promise<void> => {
  const address = clientAddress(deps, context.request, context.server);
  if (await confirmPassword(deps, context.user, password, address)) return;
  await recordUserAction(deps, context, "wrong_password");
  throw new AppError("wrong_password");
};

/** How long after a sign-in its password counts as just confirmed (ms). */
const FRESH = 10 * MINUTE;

const isFresh = ({ clock }: Pick<Deps, "clock">, sessionStartedAt: number | null): boolean => {
  const age = clock.now() - (sessionStartedAt ?? Number.NEGATIVE_INFINITY);
  return age >= 0 && age < FRESH;
};

/** Changes of one's own account, and for administrators of every account. */
const accounts = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .guard({ params: idParams })
    .put(
      "/:id",
      async ({ user: viewer, sessionId, sessionStartedAt, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        // A stolen session must not be enough to take over the account by its name or email.
        if (viewer.id === user.id && isRenaming(user, body)) {
          const password = currentPasswordOf(body, isFresh(deps, sessionStartedAt));
          if (password !== null) await requireCurrentPassword(deps, { user, request, server }, password);
        }
        const changed = await changeUser(deps, { viewer, keep: sessionId }, user, body);
        for (const [kind, detail] of changesOf(user, changed))
          await recordUserAction(deps, { user: viewer, request, server }, kind, detail);
        // A user who changes their own role continues with a session of the new role.
        const renewed = viewer.id === user.id && changed.tokenVersion !== user.tokenVersion;
        const token = renewed ? { token: await session.sign(await renewSession(deps, changed, sessionId)) } : {};
        return { success, message: "The user is saved.", user: presentUser(changed), ...token };
      },
      {
        body: changeModel,
        detail: describe({
          id: "updateUser",
          summary: "Update a user",
          description:
            "Yourself; administrators may update every user. Fields that are left out keep their values. To change your own username or email takes your current password, or a session that is younger than 10 minutes. A change of role ends the user's sessions.",
          access: "session",
          answer: {
            description: "The user was updated.",
            schema: ok({ message: message("The user is saved."), user: PublicUser, token: renewed }),
          },
          refusals: [
            "forbidden",
            "username_not_allowed",
            "username_taken",
            "email_taken",
            "last_admin",
            "wrong_password",
            "rate_limited",
          ],
        }),
      },
    );

/** Changes of passwords. They need a session, and for one's own account the current password. */
const passwords = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .post(
      "/:id/change-password",
      async ({ user: viewer, sessionId, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        const { current, next } = parsePasswordChange(body, viewer.id === user.id);
        const message = "The password is changed. All other sessions have ended.";
        if (viewer.id !== user.id) {
          await queueMail(deps, await setPassword(deps, user.id, next), "password_changed");
          await recordUserAction(deps, { user: viewer, request, server }, "password_reset", user.username);
          return { success, message };
        }
        await requireCurrentPassword(deps, { user, request, server }, current);
        const changed = await setPassword(deps, user.id, next, { keep: sessionId });
        await queueMail(deps, changed, "password_changed");
        await recordUserAction(deps, { user: viewer, request, server }, "password_changed");
        return { success, message, token: await session.sign(await renewSession(deps, changed, sessionId)) };
      },
      {
        params: idParams,
        body: passwordChangeModel,
        detail: describe({
          id: "changePassword",
          summary: "Change a password",
          description:
            "Your own with the current password; administrators may set every user's. All other sessions of the user end.",
          access: "session",
          answer: {
            description: "The password was changed.",
            schema: ok({
              message: message("The password is changed. All other sessions have ended."),
              token: renewed,
            }),
          },
          refusals: ["wrong_password", "weak_password", "rate_limited"],
        }),
      },
    );

export const userRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/users", tags: ["Users and keys"] })
    .use(collection(deps))
    .use(reading(deps))
    .use(administration(deps))
    .use(accounts(deps))
    .use(passwords(deps));
