import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { AppError } from "../../core/errors";
import { clientAddress } from "./client-address";
import { rememberAddress } from "./console-address";
import { isLocalCaller } from "./first-account";
import { requireAdmin, requireSession, signedIn, tokenSigner } from "./guard";
import { credentialsModel, languageModel, registrationModel, switchModel } from "./model";
import { register, registrationState, setRegistration } from "./registration";
import { recordSecurityEvent, recordUserAction } from "./security-log";
import { presentUser, setLanguage } from "./service";
import { startSession } from "./sessions/service";
import { signIn } from "./sign-in";

/** Signs in as `signIn` does, and records how it went. */
const recordedSignIn = async (deps: Deps, attempt: Parameters<typeof signIn>[1]) => {
  const { username, address } = attempt;
  const user = await signIn(deps, attempt).catch(async (error) => {
    if (error instanceof AppError && error.code === "rate_limited")
      await recordSecurityEvent(deps, { kind: "sign_in_refused", username, address });
    throw error;
  });
  await recordSecurityEvent(
    deps,
    user
      ? { kind: "signed_in", userId: user.id, username: user.username, address }
      : { kind: "sign_in_failed", username, address },
  );
  return user;
};

export const authRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/auth" })
    .use(tokenSigner(deps))
    .get("/registration", async ({ request, server }) => ({
      success: true as const,
      ...(await registrationState(deps, isLocalCaller(deps, request, server))),
    }))
    .post(
      "/register",
      async ({ body, status, request, server }) => {
        const { setup_code: setupCode = "", ...account } = body;
        const address = clientAddress(deps, request, server);
        const user = await register(deps, account, { address, local: isLocalCaller(deps, request, server), setupCode });
        await recordSecurityEvent(deps, { kind: "registered", userId: user.id, username: user.username, address });
        return status(201, { success: true as const, message: "Registered. You can sign in now." });
      },
      { body: registrationModel },
    )
    .post(
      "/login",
      async ({ body, session, request, server }) => {
        const address = clientAddress(deps, request, server);
        const user = await recordedSignIn(deps, { ...body, address });
        if (!user) throw new AppError("invalid_credentials");
        if (body.language) await setLanguage(deps, user, body.language);
        if (user.role === "admin") await rememberAddress(deps, request.headers.get("origin"));
        const token = await session.sign(
          await startSession(deps, user, { userAgent: request.headers.get("user-agent") ?? "", address }),
        );
        return { success: true as const, message: "Signed in.", token, user: presentUser(user) };
      },
      { body: credentialsModel },
    )
    .use(signedIn(deps))
    .get("/me", ({ user }) => ({ success: true as const, user: presentUser(user), language: user.language }))
    .put(
      "/language",
      async ({ user, body }) => {
        await setLanguage(deps, user, body.language);
        return { success: true as const };
      },
      { body: languageModel },
    );

/** The administrators' switch. */
export const registrationRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/auth" })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .put(
      "/registration",
      async ({ user, body, request, server }) => {
        await setRegistration(deps, body.open);
        await recordUserAction(deps, { user, request, server }, "registration_switched", body.open ? "open" : "closed");
        return { success: true as const, open: body.open };
      },
      { body: switchModel },
    );
