import { t } from "elysia";
import { LANGUAGES } from "../../shared/alerts";
import { EMAIL, LIMITS } from "../../shared/limits";
import { oneOf } from "../../wire";

export const usernameModel = t.String({
  pattern: "^\\s*\\S",
  maxLength: LIMITS.username,
  error: `expected 1 to ${LIMITS.username} characters`,
});
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

/** The language that a user reads the page in, and so wants alerts in. */
export const languageModel = t.Object({ language });

export const credentialsModel = t.Object({
  language: t.Optional(language),
  username: t.String({ maxLength: 1000 }),
  password: t.String({ maxLength: 1000 }),
});

export const switchModel = t.Object({ open: t.Boolean({ error: "expected true or false" }) });

export const registrationModel = t.Object({
  username: usernameModel,
  password: passwordModel,
  email: t.Optional(emailModel),
});
