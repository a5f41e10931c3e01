import { type CheckError, checkError } from "../../shared/check-error";
import { domainNameOf } from "../../shared/domains/domain-name";
import { DELETED_STATUSES, type Registration } from "../../shared/domains/registration";
import type { Outbound } from "../outbound";
import type { Outcome } from "../outcome";

const errorOf = (registration: Registration | null, now: number): CheckError | null => {
  if (registration === null) return checkError("domain_unregistered");
  const { expires_at, statuses } = registration;
  const status = statuses.find((one) => DELETED_STATUSES.includes(one));
  if (status !== undefined) return checkError("domain_deleted", { status });
  return expires_at !== null && Date.parse(expires_at) <= now ? checkError("domain_expired") : null;
};

type Target = { domain: string; timeout: number };

/**
 * Asks for the registration of a domain. Up means that it is registered and has not expired.
 * @throws {RegistryUnavailable} when the registry has no answer, which says nothing about the domain; LocalFailure when the
 * hub itself could not ask
 */
export const probeDomain = async ({ domain, timeout }: Target, outbound: Outbound): Promise<Outcome> => {
  const { rdap } = outbound;
  const name = domainNameOf(domain) ?? domain;
  const nothing = { statusCode: null, certExpiresAt: null, responseTime: null };
  const answer = await rdap.lookUp(name, { outbound, signal: AbortSignal.timeout(timeout * 1000) });
  if (answer === "unsupported") {
    const tld = name.slice(name.lastIndexOf(".") + 1);
    return { ...nothing, up: false, error: checkError("domain_no_rdap", { tld }) };
  }
  const { registration, responseTime } = answer;
  const error = errorOf(registration, rdap.now());
  const found = { ...nothing, up: error === null, error, responseTime };
  if (registration === null) return found;
  const { expires_at } = registration;
  if (expires_at === null) return { ...found, registration };
  // A renewed domain has another date, as a renewed certificate has another fingerprint.
  return { ...found, registration, certExpiresAt: Date.parse(expires_at), certFingerprint: `domain ${expires_at}` };
};
