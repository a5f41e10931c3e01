import * as oidc from "openid-client";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { createClient, reasonOf } from "./client";

/** A user as the issuer describes them. */
export type IssuerUser = {
  issuer: string;
  subject: string;
  username: string;
  email: string | null;
  isEmailVerified: boolean;
  groups: string[];
};

/** Secrets of one sign-in, which prove that an answer belongs to its browser and its request. */
export type Proofs = { state: string; nonce: string; codeVerifier: string };

/** The longest subject in characters: OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT = 255;
/** The longest address that signs out at the issuer. Servers refuse longer ones. */
const MAX_URL = 4000;

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A claim with one group or a list of them. A text is the name of one group, also with commas or spaces. */
const groupsOf = (claim: unknown): string[] =>
  [claim].flat().filter((group): group is string => typeof group === "string");

const readUser = async (
  configuration: oidc.Configuration,
  tokens: Tokens,
  groupsClaim: string,
): Promise<IssuerUser> => {
  const claims = tokens.claims();
  if (!claims || claims.sub.length > MAX_SUBJECT) throw new Error("the subject is longer than 255 characters");
  const hasDetails = configuration.serverMetadata().userinfo_endpoint !== undefined;
  // Some issuers put names and groups there only.
  const details = hasDetails ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  const all: Record<string, unknown> = { ...details, ...claims };
  return {
    issuer: claims.iss,
    subject: claims.sub,
    username: textOf(all.preferred_username) || textOf(all.email).split("@", 1)[0] || textOf(all.name),
    email: textOf(all.email) || null,
    isEmailVerified: all.email_verified === true,
    groups: groupsOf(all[groupsClaim]),
  };
};

/** Where signing out continues at the issuer; undefined where it has no such address. */
const signOutUrlOf = (configuration: oidc.Configuration, { id_token }: Tokens, back: string): string | undefined => {
  if (!configuration.serverMetadata().end_session_endpoint) return undefined;
  const leadBack = { post_logout_redirect_uri: back };
  const url = oidc.buildEndSessionUrl(configuration, { ...leadBack, ...(id_token && { id_token_hint: id_token }) });
  return url.href.length > MAX_URL ? oidc.buildEndSessionUrl(configuration, leadBack).href : url.href;
};

/** The issuer of OIDC_ISSUER. */
export const createIssuer = (deps: Pick<Deps, "config" | "outbound" | "clock" | "log">) => {
  const { config, log } = deps;
  const { issuer, scopes, name, groupsClaim } = config.oidc;
  const redirectUri = `${config.publicUrl}/login/oidc`;
  const configure = createClient(deps);
  return {
    /** Whether the issuer answers. */
    isAvailable: (): Promise<boolean> =>
      configure().then(
        () => true,
        () => false,
      ),

    /**
     * The issuer's address for a sign-in.
     * @throws {AppError} oidc_unreachable
     */
    authorizationUrl: async ({ state, nonce, codeVerifier }: Proofs): Promise<string> =>
      oidc.buildAuthorizationUrl(await configure(), {
        ...{ redirect_uri: redirectUri, scope: scopes, state, nonce },
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      }).href,

    /**
     * The user whom the issuer signed in, by the query of the address that it led the browser back to.
     * @throws {AppError} oidc_unreachable, oidc_failed
     */
    complete: async (query: string, { state, nonce, codeVerifier }: Proofs) => {
      const configuration = await configure();
      try {
        const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
          ...{ pkceCodeVerifier: codeVerifier, expectedState: state, expectedNonce: nonce },
          idTokenExpected: true,
        });
        const user = await readUser(configuration, tokens, groupsClaim);
        return { user, signOutUrl: signOutUrlOf(configuration, tokens, `${config.publicUrl}/login`) };
      } catch (error) {
        log.warn("a sign-in at the issuer failed", { issuer, error: reasonOf(error) });
        throw new AppError("oidc_failed", { name });
      }
    },
  };
};

export type Issuer = ReturnType<typeof createIssuer>;
