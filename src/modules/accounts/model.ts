import { t } from "elysia";
import { field, oneOf, whole } from "../../server/schema";
import { LANGUAGES } from "../../shared/language";
import { EMAIL, LIMITS } from "../../shared/limits";
import { SECURITY_EVENTS } from "../../shared/security-events";
import { assertionModel, attestationModel } from "./factors/passkeys/model";

/** Control characters, and characters that are invisible or change the direction, so that two names could look the same. */
const INVISIBLE = "\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff";

/** The name of a user or a team. */
export const nameModel = (maxLength: number) =>
  t.String({
    // Matches in linear time.
    pattern: `^ *[^\\s${INVISIBLE}][^${INVISIBLE}]*$`,
    maxLength,
    error: `expected 1 to ${maxLength} characters that can be seen`,
  });
export const usernameModel = nameModel(LIMITS.username);
export const passwordModel = t.String({
  minLength: LIMITS.passwordMin,
  maxLength: LIMITS.passwordMax,
  error: `expected ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters`,
});
export const emailModel = t.Union(
  [t.String({ pattern: EMAIL.source, maxLength: LIMITS.email }), t.Literal(""), t.Null()],
  {
    error: "expected an e-mail address",
  },
);

const language = oneOf(LANGUAGES);

/** The language of the page and of the user's alerts. */
export const languageModel = t.Object({
  language: field(language, `One of ${LANGUAGES.join(", ")}.`, "en-US"),
});

const timeZone = t.String({ maxLength: 64, error: "expected the IANA name of a time zone, such as Europe/Berlin" });

/** The time zone of the browser, for times in alerts. */
export const timeZoneModel = t.Object({
  time_zone: field(timeZone, "The IANA name of a time zone.", "Europe/Berlin"),
});

/** Language and time zone of the page, at a sign-in. */
const stated = {
  language: t.Optional(
    field(language, "The language of the page. Alerts are written in it until a sign-in has sent a time zone."),
  ),
  time_zone: t.Optional(
    field(timeZone, "The IANA name of the caller's time zone, for times in alerts. An unknown one is ignored."),
  ),
};
export const signedInModel = t.Object(stated);

export const credentialsModel = t.Object({
  ...stated,
  username: field(t.String({ maxLength: 1000 }), "The username, in any case.", "alice"),
  password: field(t.String({ maxLength: 1000 }), "The password.", "correct horse battery"),
});

const totpModel = t.String({ maxLength: 20, error: "expected a code of 6 digits" });

const PASSKEY = "What a passkey has signed: `PublicKeyCredential.toJSON()`.";

/** A passkey that signs in alone. */
export const passkeySignInModel = t.Object({
  ...stated,
  passkey: field(assertionModel, PASSKEY, {
    id: "3q2-7w",
    response: { clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0", authenticatorData: "SZYN5YgO", signature: "MEUCIQ" },
  }),
});

/** A ticket of a sign-in, and one of the factors of its user. */
export const secondFactorModel = t.Object({
  ...stated,
  ticket: field(t.String({ maxLength: 200 }), "What the sign-in answered.", "1.1767225600000.…"),
  totp: t.Optional(field(totpModel, "The present code of the authenticator app.", "123456")),
  recovery: t.Optional(
    field(t.String({ maxLength: 100 }), "A recovery code, in any case, with or without spaces and hyphens."),
  ),
  passkey: t.Optional(field(assertionModel, PASSKEY)),
});

/** The first code of an authenticator app. */
export const totpSetupModel = t.Object({
  setup: field(t.String({ maxLength: 200 }), "What `POST /api/auth/totp` answered.", "3q2-7w.1767225600000.…"),
  code: field(totpModel, "The present code of the app.", "123456"),
});

const passkeyName = field(nameModel(LIMITS.passkeyName), "What its user calls it.", "Laptop");
export const passkeyNameModel = t.Object({ name: passkeyName });
export const newPasskeyModel = t.Object({
  name: passkeyName,
  credential: field(attestationModel, "The new credential: `PublicKeyCredential.toJSON()`.", {
    id: "3q2-7w",
    response: {
      clientDataJSON: "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0",
      authenticatorData: "SZYN5YgO",
      publicKey: "MFkwEwYH",
      transports: ["internal"],
    },
  }),
});

/** One proof that it is the user of the session. */
export const proofModel = t.Object({
  password: t.Optional(field(t.String({ maxLength: 1000 }), "The password.", "correct horse battery")),
  totp: t.Optional(field(totpModel, "The present code of the authenticator app.")),
  passkey: t.Optional(field(assertionModel, PASSKEY)),
});

/** Whom a link to set a new password is sent to. */
export const forgotModel = t.Object({
  email: field(
    t.String({ pattern: EMAIL.source, maxLength: LIMITS.email, error: "expected an e-mail address" }),
    "The email address of the account.",
    "alice@example.com",
  ),
});

/** A new password, with the token of a link. */
export const resetModel = t.Object({
  token: field(t.String({ maxLength: 200 }), "What follows `#` in the link.", "1.1767225600000.…"),
  password: field(passwordModel, "8 to 256 characters, as at registration.", "correct horse battery"),
});

export const switchModel = t.Object({
  open: field(t.Boolean({ error: "expected true or false" }), "Whether anyone may register.", false),
});

export const registrationModel = t.Object({
  username: field(usernameModel, "1 to 64 characters of one script, unique regardless of case.", "alice"),
  password: field(
    passwordModel,
    "8 to 256 characters; no common password, and not the username or email.",
    "correct horse battery",
  ),
  email: t.Optional(field(emailModel, "The user's email address.", "alice@example.com")),
  setup_code: t.Optional(
    field(
      t.String({ maxLength: 100, error: "expected the setup code from the start log" }),
      "For the first account only.",
    ),
  ),
});

export const securityLogQuery = t.Object({
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only entries older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 200), "The size of the page: 1 to 200; 50 by default.")),
  kind: t.Optional(field(oneOf(SECURITY_EVENTS), "Only entries of this kind.")),
  user: t.Optional(field(t.String({ maxLength: 64 }), "Only entries with exactly this username.")),
});
