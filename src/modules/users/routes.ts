import { Elysia } from "elysia";
import type { Deps } from "../../deps";
import { AppError } from "../../errors";
import { idParams } from "../../wire";
import { clientAddress } from "../auth/client-address";
import { refuseKeys, refuseOthers, sessionRequired, signedIn, tokenSigner } from "../auth/guard";
import { createAccount, presentUser, setPassword, type User } from "../auth/service";
import { renewSession } from "../auth/sessions/service";
import { confirmPassword } from "../auth/sign-in";
import {
  changeModel,
  currentPasswordOf,
  newUserModel,
  pageQuery,
  parsePasswordChange,
  passwordChangeModel,
} from "./model";
import { changeUser, countOwned, findVisible, isRenaming, listUsers, removeUser } from "./service";

const success = true as const;

/** What administrators do. */
const administration = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .derive(refuseOthers)
    .get("/", async ({ query }) => ({ success, ...(await listUsers(deps, query)) }), { query: pageQuery })
    .post(
      "/",
      async ({ body, byKey, status }) => {
        if (byKey && body.role === "admin") throw sessionRequired();
        const user = await createAccount(deps, { role: "user", ...body });
        return status(201, { success, message: "The user is made.", user: presentUser(user) });
      },
      { body: newUserModel },
    )
    .delete(
      "/:id",
      async ({ user, params }) => {
        await removeUser(deps, user, params.id);
        return { success };
      },
      { params: idParams },
    );

/** @throws {AppError} wrong_password, rate_limited */
const requireCurrentPassword = async (deps: Deps, user: User, password: string, address: string): Promise<void> => {
  if (!(await confirmPassword(deps, user, password, address)))
    throw new AppError(422, "wrong_password", "The current password is not right.");
};

/** What people do about themselves, and administrators about everybody. */
const accounts = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .guard({ params: idParams })
    .get("/:id", async ({ user: viewer, params }) => {
      const user = await findVisible(deps, viewer, params.id);
      return { success, user: presentUser(user), owns: await countOwned(deps, user) };
    })
    .put(
      "/:id",
      async ({ user: viewer, sessionId, byKey, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        // A stolen session must not be able to take the account over by its name or email.
        if (viewer.id === user.id && isRenaming(user, body))
          await requireCurrentPassword(deps, user, currentPasswordOf(body), clientAddress(deps, request, server));
        // An administrator made by a key would stay when the key is revoked.
        if (byKey && body.role === "admin" && user.role !== "admin") throw sessionRequired();
        const changed = await changeUser(deps, viewer, user, body, sessionId);
        // Whoever changes their own role goes on with a session of the new one. A key never becomes a session.
        const renewed = !byKey && viewer.id === user.id && changed.tokenVersion !== user.tokenVersion;
        const token = renewed ? { token: await session.sign(await renewSession(deps, changed, sessionId)) } : {};
        return { success, message: "The user is saved.", user: presentUser(changed), ...token };
      },
      { body: changeModel },
    );

/** A password is changed by a person who signed in, and their own by one who knows it. */
const passwords = (deps: Deps) =>
  new Elysia()
    .use(tokenSigner(deps))
    .use(signedIn(deps))
    .derive(refuseKeys)
    .post(
      "/:id/change-password",
      async ({ user: viewer, sessionId, params, body, session, request, server }) => {
        const user = await findVisible(deps, viewer, params.id);
        const { current, wanted } = parsePasswordChange(body, viewer.id === user.id);
        const message = "The password is changed. All other sessions have ended.";
        if (viewer.id !== user.id) {
          await setPassword(deps, user.id, wanted);
          return { success, message };
        }
        await requireCurrentPassword(deps, user, current, clientAddress(deps, request, server));
        const changed = await setPassword(deps, user.id, wanted, sessionId);
        return { success, message, token: await session.sign(await renewSession(deps, changed, sessionId)) };
      },
      { params: idParams, body: passwordChangeModel },
    );

export const userRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/users" }).use(administration(deps)).use(accounts(deps)).use(passwords(deps));
