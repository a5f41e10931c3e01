/** Who may make a call, in the API document. */
import type { Access } from "../../server/answers";
import type { KeyScope } from "../../shared/accounts/key-scopes";

const bearer = (description: string) => ({ type: "http", scheme: "bearer", description });

export const SECURITY_SCHEMES = {
  session: bearer(
    "The token of POST /api/auth/login. With REQUIRE_2FA, other calls than those to add a second factor answer 403 `second_factor_required` until its user has one.",
  ),
  apiKey: bearer(
    "A key that was created on the profile page, with one of the scopes that a call names; `write` has all of them.",
  ),
  agentKey: bearer("The key that an agent received when it was enrolled."),
  metricsToken: bearer("The setting METRICS_TOKEN of the hub."),
};

export type Security = Record<string, readonly string[]>;

/** The credentials of a call, which takes an API key if it has `scopes`. */
export const securityOf = (access: Access, scopes: readonly KeyScope[]): Security[] => {
  if (access === "public") return [];
  if (access === "agent") return [{ agentKey: [] }];
  // OpenAPI allows scopes here for OAuth only, so x-scopes lists the scopes of API keys.
  const apiKey = scopes.length > 0 ? [{ apiKey: [] }] : [];
  return [{ session: [] }, ...apiKey, ...(access === "operator" ? [{ metricsToken: [] }] : [])];
};

/** The sentence about API keys in the description of a call. */
export const scopeSentence = (scopes: readonly KeyScope[]): string =>
  scopes.length > 0 ? ` An API key needs the scope ${scopes.map((scope) => `\`${scope}\``).join(" or ")}.` : "";
