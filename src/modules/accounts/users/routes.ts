import { Elysia } from "elysia";
import type { Deps } from "../../../core/deps";
import { describe, integer, list, ok, oneOf, optional, text } from "../../../server/answers";
import { idParam } from "../../../server/schema";
import { createAccount, PublicUser, presentUser, setPassword } from "../account/service";
import { FACTORS, factorsOf, resetFactors } from "../factors/service";
import { requireAdmin, requireProof, requireSession, signedIn, tokenSigner } from "../guard";
import { queueMail } from "../mail/send";
import { assertOwnPassword, assertProved } from "../proof/service";
import { recordUserAction } from "../security-log";
import { renewSession } from "../sessions/service";
import { offerVerification } from "../verification/service";
import {
  changeModel,
  currentPasswordOf,
  newUserModel,
  pageQuery,
  parsePasswordChange,
  passwordChangeModel,
} from "./model";
import { changeUser, countDeleted, findVisible, isChange, listUsers, Owned, removeUser } from "./service";

const success = true as const;
const idParams = idParam("The user's id.");
const renewed = optional(
  text(
    "For your own account: the token of the session from now on, in place of the one of this call.",
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
      return {
        success,
        user: presentUser(user),
        owns: await countDeleted(deps, user),
        second_factors: await factorsOf(deps, user),
      };
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
          schema: ok({
            user: PublicUser,
            owns: Owned,
            second_factors: list(oneOf("What completes a sign-in after the password.", FACTORS)),
          }),
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
    .derive(requireProof(deps))
    .post(
      "/",
      async ({ user: viewer, body, status }) => {
        const user = await createAccount(deps, { role: "user", ...body }, undefined, ({ username, role }) => ({
          author: viewer,
          event: { kind: "user_created", detail: `${username} (${role})` },
        }));
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
          refusals: [
            "proof_required",
            "username_not_allowed",
            "weak_password",
            "username_taken",
            "email_taken",
            "rate_limited",
          ],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await removeUser(deps, user, params.id);
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
          refusals: ["proof_required", "cannot_delete_self", "last_admin", "last_owner"],
        }),
      },
    )
    .delete(
      "/:id/second-factors",
      async ({ user: viewer, params, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        await resetFactors(deps, user);
        await recordUserAction(deps, { user: viewer, request, server }, "second_factors_reset", user.username);
        await queueMail(deps, user, "factors_reset");
        return { success };
      },
      {
        params: idParams,
        detail: describe({
          id: "resetSecondFactors",
          summary: "Remove a user's second factors",
          description:
            "For a user who has lost their phone and their recovery codes: the password is enough to sign in from now on. All sessions of the user end, and the user is told by mail.",
          access: "adminSession",
          answer: { description: "The second factors were removed.", schema: ok() },
          refusals: ["proof_required"],
        }),
      },
    );

/** Changes of one's own account, and for administrators of every account. */
const accounts = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(requireSession)
    .guard({ params: idParams })
    .put(
      "/:id",
      async ({ user: viewer, sessionId, provedAt, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        // A stolen session must not be enough to take over an account by its name or email.
        if (isChange(user, body)) {
          const password = currentPasswordOf(body);
          if (password && viewer.id === user.id) await assertOwnPassword(deps, { user, request, server }, password);
          else assertProved(deps, provedAt);
        }
        const changed = await changeUser(deps, { viewer, keep: sessionId }, user, body);
        if (changed.emailKey !== user.emailKey) await offerVerification(deps, changed);
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
            "Yourself; administrators may update every user. Fields that are left out keep their values. A change takes a fresh proof that it is you, or of your own account your current password. A change of role ends the user's sessions.",
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
            "proof_required",
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
      async ({ user: viewer, sessionId, provedAt, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        const { current, next } = parsePasswordChange(body, viewer.id === user.id);
        const message = "The password is changed. All other sessions have ended.";
        if (viewer.id !== user.id) {
          assertProved(deps, provedAt);
          await queueMail(deps, await setPassword(deps, user.id, next), "password_changed");
          await recordUserAction(deps, { user: viewer, request, server }, "password_reset", user.username);
          return { success, message };
        }
        await assertOwnPassword(deps, { user, request, server }, current);
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
            "Your own with the current password; administrators may set every user's, with a fresh proof that it is them. All other sessions of the user end.",
          access: "session",
          answer: {
            description: "The password was changed.",
            schema: ok({
              message: message("The password is changed. All other sessions have ended."),
              token: renewed,
            }),
          },
          refusals: ["proof_required", "wrong_password", "weak_password", "rate_limited"],
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
