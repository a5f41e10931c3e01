import { createHmac } from "node:crypto";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { MINUTE } from "../../../shared/limits";
import { issueTicket, isValidTicket, spendTicket, subjectOf } from "../tickets";
import type { Proofs } from "./issuer";

type Signer = Pick<Deps, "jwtSecret" | "clock">;

const PURPOSE = "sign-in at the issuer";
/** How long a user may take at the issuer. */
const LASTS = 10 * MINUTE;

/** The ticket of a sign-in that begins. `userId`: the signed-in user who links their account, or 0. */
export const beginSignIn = (deps: Signer, userId: number): string =>
  issueTicket(deps, PURPOSE, { subject: userId, bound: [], lasts: LASTS });

/** Derives the secrets of a sign-in from its ticket, so that nothing is stored. */
export const proofsOf = ({ jwtSecret }: Pick<Deps, "jwtSecret">, ticket: string): Proofs => {
  const derive = (name: string) => createHmac("sha256", jwtSecret).update(`${name}\n${ticket}`).digest("base64url");
  return { state: derive("oidc state"), nonce: derive("oidc nonce"), codeVerifier: derive("oidc code verifier") };
};

/**
 * Uses a ticket up, and returns the user who links their account, or 0 for a sign-in.
 * @throws {AppError} oidc_expired
 */
export const endSignIn = async (deps: Signer & Pick<Deps, "db">, ticket: string): Promise<number> => {
  if (!isValidTicket(deps, PURPOSE, ticket, []) || !(await spendTicket(deps, ticket)))
    throw new AppError("oidc_expired");
  return Number(subjectOf(ticket));
};
