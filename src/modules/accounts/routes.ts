import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../core/deps";
import { validation } from "../../core/errors";
import { boolean, describe, integer, list, nullable, object, ok, oneOf, text } from "../../server/answers";
import { LANGUAGES } from "../../shared/language";
import { isLocalCaller, RegistrationState, register, registrationState, setRegistration } from "./account/registration";
import { NO_PASSWORD, PublicUser, presentUser, setLanguage, setTimeZone, type User } from "./account/service";
import { clientAddress } from "./client-address";
import { passkeyRoutes } from "./factors/passkeys/routes";
import { isPasskeyKnown } from "./factors/passkeys/service";
import { factorRoutes } from "./factors/routes";
import { requireAdmin, requireSession, signedIn } from "./guard";
import { mailsLinks } from "./mail/send";
import { languageModel, registrationModel, securityLogQuery, switchModel, timeZoneModel } from "./model";
import { createIssuer, type Issuer } from "./oidc/issuer";
import { identityRoutes, oidcRoutes } from "./oidc/routes";
import { proofRoutes } from "./proof/routes";
import { proxyRoutes } from "./proxy/routes";
import { resetRoutes } from "./reset/routes";
import { canReset } from "./reset/service";
import { readSecurityLog, SecurityLogEntry } from "./security-log";
import { passkeySignInRoutes } from "./sign-in/passkey/routes";
import { createPasswordPolicy, type PasswordPolicy } from "./sign-in/password-policy";
import { rememberPlace } from "./sign-in/places";
import { signInRoutes } from "./sign-in/routes";
import { verificationMailRoutes, verificationRoutes } from "./verification/routes";
import { offerVerification } from "./verification/service";

const SingleSignOn = object({
  kind: oneOf("Who signs users in besides: an issuer of OpenID Connect, or a proxy in front of the hub.", [
    "oidc",
    "proxy",
  ]),
  name: text("The name of the issuer.", "Authentik"),
  available: boolean("Whether the issuer answers.", true),
});

const singleSignOn = async ({ config }: Deps, issuer: Issuer): Promise<Static<typeof SingleSignOn> | null> => {
  const { oidc, authHeader } = config;
  if (authHeader.name) return { kind: "proxy", name: "", available: true };
  return oidc.issuer ? { kind: "oidc", name: oidc.name, available: await issuer.isAvailable() } : null;
};

/** What the pages for visitors ask for before anyone signs in. */
const registrationStatus = (deps: Deps, issuer: Issuer, passwordPolicy: PasswordPolicy) =>
  new Elysia().get(
    "/registration",
    async ({ request, server }) => ({
      success: true as const,
      ...(await registrationState(deps, isLocalCaller(deps, request, server))),
      reset: canReset(deps),
      passkeys: await isPasskeyKnown(deps),
      password_login: await passwordPolicy(),
      single_sign_on: await singleSignOn(deps, issuer),
    }),
    {
      detail: describe({
        id: "getRegistration",
        summary: "Get the registration status",
        description:
          "Pages ask for it before anyone signs in, to show a form for the first account, for a new one, or none.",
        access: "public",
        answer: {
          description:
            "Whether registration is open, whether the caller may create the first account, and how users sign in.",
          schema: ok({
            ...RegistrationState.properties,
            reset: boolean("Whether a forgotten password can be reset by mail.", false),
            passkeys: boolean("Whether a user has a passkey, which can sign in alone.", false),
            password_login: oneOf("Who may sign in with a password now.", ["on", "admins", "off"]),
            single_sign_on: nullable(SingleSignOn),
          }),
        },
      }),
    },
  );

const registering = (deps: Deps) =>
  new Elysia().post(
    "/register",
    async ({ body, status, request, server }) => {
      const { setup_code: setupCode = "", ...account } = body;
      const address = clientAddress(deps, request, server);
      const user = await register(deps, account, { address, local: isLocalCaller(deps, request, server), setupCode });
      // The first sign-in from where the account was made is not reported.
      await rememberPlace(deps, user.id, { address, userAgent: request.headers.get("user-agent") ?? "" });
      await offerVerification(deps, user);
      return status(201, { success: true as const, message: "Registered. You can sign in now." });
    },
    {
      body: registrationModel,
      detail: describe({
        id: "register",
        summary: "Register an account",
        description:
          "The first account becomes the administrator. It requires the setup code from the start log, unless the call comes directly from this machine or a private network, through no proxy, and to an IP address, localhost or the host of PUBLIC_URL. Registering does not sign in.",
        access: "public",
        answer: {
          status: 201,
          description: "The account was created.",
          schema: ok({ message: text("A confirmation.", "Registered. You can sign in now.") }),
        },
        refusals: [
          "registration_closed",
          "setup_code_required",
          "setup_code_wrong",
          "username_not_allowed",
          "weak_password",
          "username_taken",
          "email_taken",
          "rate_limited",
        ],
      }),
    },
  );

/** How a user's alerts are written. */
const alertsOf = ({ config }: Deps, { language, timeZone }: User) => ({
  language: language ?? config.defaultLanguage,
  time_zone: timeZone,
});

const isEmailVerified = (deps: Deps, { email, emailVerifiedAt }: User): boolean | null => {
  if (email && emailVerifiedAt !== null) return true;
  return email && mailsLinks(deps) ? false : null;
};

/** The signed-in user. */
const ownRoutes = (deps: Deps) =>
  new Elysia()
    .use(signedIn(deps))
    .get(
      "/me",
      ({ user }) => ({
        ...{ success: true as const, user: presentUser(user), ...alertsOf(deps, user) },
        has_password: user.passwordHash !== NO_PASSWORD,
        email_verified: isEmailVerified(deps, user),
      }),
      {
        detail: describe({
          id: "getMe",
          summary: "Get the current user",
          description: "With the language and time zone of alerts.",
          access: "user",
          answer: {
            description: "The user of the session or API key.",
            schema: ok({
              user: PublicUser,
              language: oneOf(
                "The language of alerts: the one that was set, or that the first sign-in or call stated, by `language` or Accept-Language; until then DEFAULT_LANGUAGE.",
                LANGUAGES,
              ),
              time_zone: nullable(text("The time zone of times in alerts; null for UTC.", "Europe/Berlin")),
              has_password: boolean(
                "Whether the account has a password; others sign in at an issuer or by a proxy.",
                true,
              ),
              email_verified: nullable(
                boolean(
                  "Whether the user has proved that the email address is theirs; null without an address, or where no mails are sent.",
                  true,
                ),
              ),
            }),
          },
        }),
      },
    )
    .put(
      "/language",
      async ({ user, body }) => {
        await setLanguage(deps, user, body.language);
        return { success: true as const };
      },
      {
        body: languageModel,
        detail: describe({
          id: "setLanguage",
          summary: "Set the language of alerts",
          description: "For messages of all channels. The language of the page is chosen in the browser.",
          access: "user",
          answer: { description: "Alerts are written in this language from now on.", schema: ok() },
        }),
      },
    )
    .put(
      "/time-zone",
      async ({ user, body }) => {
        if (!(await setTimeZone(deps, user, body.time_zone))) {
          const message = "time_zone: expected the IANA name of a time zone, such as Europe/Berlin";
          throw validation([{ path: "time_zone", message }]);
        }
        return { success: true as const };
      },
      {
        body: timeZoneModel,
        detail: describe({
          id: "setTimeZone",
          summary: "Set the time zone of alerts",
          description: "For times in messages of all channels. The page shows times in the zone of the browser.",
          access: "user",
          answer: { description: "Times in alerts are those of this time zone from now on.", schema: ok() },
        }),
      },
    );

const allSignInRoutes = (deps: Deps, issuer: Issuer, passwordPolicy: PasswordPolicy) =>
  new Elysia()
    .use(signInRoutes(deps, passwordPolicy))
    .use(passkeySignInRoutes(deps, passwordPolicy))
    .use(oidcRoutes(deps, issuer))
    .use(identityRoutes(deps, issuer))
    .use(proxyRoutes(deps))
    .use(proofRoutes(deps))
    .use(factorRoutes(deps))
    .use(passkeyRoutes(deps));

const mailedLinkRoutes = (deps: Deps) =>
  new Elysia().use(resetRoutes(deps)).use(verificationRoutes(deps)).use(verificationMailRoutes(deps));

export const authRoutes = (deps: Deps) => {
  const issuer = createIssuer(deps);
  const passwordPolicy = createPasswordPolicy(deps, issuer);
  return new Elysia({ prefix: "/api/auth", tags: ["Accounts"] })
    .use(registrationStatus(deps, issuer, passwordPolicy))
    .use(registering(deps))
    .use(allSignInRoutes(deps, issuer, passwordPolicy))
    .use(mailedLinkRoutes(deps))
    .use(ownRoutes(deps));
};

/** Opens and closes registration, for administrators. */
export const registrationRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api/auth", tags: ["Accounts"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .put(
      "/registration",
      async ({ user, body }) => {
        await setRegistration(deps, body.open, user);
        return { success: true as const, open: body.open };
      },
      {
        body: switchModel,
        detail: describe({
          id: "setRegistration",
          summary: "Open or close registration",
          description: "Takes effect at once. Administrators can create users either way.",
          access: "adminSession",
          answer: {
            description: "The new setting.",
            schema: ok({ open: boolean("Whether new accounts can be registered.", false) }),
          },
          refusals: ["registration_fixed"],
        }),
      },
    );

/** The security log, for administrators who signed in. */
export const securityRoutes = (deps: Deps) =>
  new Elysia({ prefix: "/api", tags: ["Accounts"] })
    .use(signedIn(deps))
    .derive(requireAdmin)
    .derive(requireSession)
    .get("/security-log", async ({ query }) => ({ success: true as const, ...(await readSecurityLog(deps, query)) }), {
      query: securityLogQuery,
      detail: describe({
        id: "readSecurityLog",
        summary: "List security log entries",
        description:
          "Sign-ins, refused sign-ins, and changes to accounts, keys, enrollment tokens and channels of the last 90 days, newest first. For administrators. Rate-limited sign-ins of one address within a minute are one entry.",
        access: "adminSession",
        answer: {
          description: "A page of the log.",
          schema: ok({
            entries: list(SecurityLogEntry),
            next: nullable(integer("`before` of the next page; null on the last one.", 17)),
          }),
        },
      }),
    });
