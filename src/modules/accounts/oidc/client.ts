import * as oidc from "openid-client";
import type { Deps } from "../../../core/deps";
import { AppError } from "../../../core/errors";
import { MINUTE, SECOND } from "../../../shared/limits";

/** How long the endpoints of an issuer are kept, and how long one without an answer is not asked again. */
const METADATA_KEPT = MINUTE;
const RETRY_AFTER = 10 * SECOND;
/** How long one answer of the issuer may take (ms), and its size in bytes. */
const TIMEOUT = 5 * SECOND;
const MAX_ANSWER = 256 * 1024;
/** How far the clocks of issuer and hub may differ, in seconds. */
const CLOCK_TOLERANCE = 60;

type Parts = Pick<Deps, "config" | "outbound" | "clock" | "log">;

const readAnswer = async ({ body }: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER) throw new Error(`the answer is longer than ${MAX_ANSWER / 1024} KiB`);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/** Why a request or a check failed. The library's causes other than errors are whole answers, which may hold tokens. */
export const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return [message, ...(cause instanceof Error ? [cause.message] : [])].join(": ").slice(0, 300);
};

/** The requests of the library. As for checks, they go to the judged address and follow no redirects. */
const createFetch =
  ({ config, outbound }: Parts): oidc.CustomFetch =>
  async (address, { method, headers, body }) => {
    const url = new URL(address);
    const response = await outbound.request({
      ...{ url, method, body: body?.toString() ?? "", signal: AbortSignal.timeout(TIMEOUT) },
      headers: new Headers({ ...headers, "accept-encoding": "identity" }),
      // The operator chose the issuer, but not the other hosts in its metadata.
      caller: { key: "sign-in", lookups: 16, allowPrivate: url.hostname === URL.parse(config.oidc.issuer)?.hostname },
    });
    return new Response(await readAnswer(response), { status: response.status, headers: response.headers });
  };

const authenticationOf = (secret: string, methods = ["client_secret_basic"]): oidc.ClientAuth => {
  if (!secret) return oidc.None();
  return methods.includes("client_secret_basic") ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
};

/**
 * Returns a function that configures the library for the issuer of OIDC_ISSUER, whose metadata it reads at most once a minute.
 * @throws {AppError} oidc_unreachable
 */
export const createClient = (parts: Parts): (() => Promise<oidc.Configuration>) => {
  const { config, clock, log } = parts;
  const { issuer, clientId, clientSecret, name } = config.oidc;
  const request = createFetch(parts);
  const protocols = issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [];
  let known: { at: number; metadata: oidc.ServerMetadata | null } | undefined;
  let discovering: Promise<oidc.ServerMetadata | null> | undefined;

  const discover = async (): Promise<oidc.ServerMetadata | null> => {
    const options = { execute: protocols, [oidc.customFetch]: request };
    const found = await oidc.discovery(new URL(issuer), clientId, {}, oidc.None(), options).catch((error) => {
      log.warn("the issuer has no usable metadata", { issuer, error: reasonOf(error) });
      return null;
    });
    known = { at: clock.now(), metadata: found?.serverMetadata() ?? null };
    return known.metadata;
  };

  const readMetadata = async (): Promise<oidc.ServerMetadata | null> => {
    const age = clock.now() - (known?.at ?? Number.NEGATIVE_INFINITY);
    if (known && age >= 0 && age < (known.metadata ? METADATA_KEPT : RETRY_AFTER)) return known.metadata;
    discovering ??= discover().finally(() => {
      discovering = undefined;
    });
    return discovering;
  };

  return async () => {
    const metadata = await readMetadata();
    if (!metadata) throw new AppError("oidc_unreachable", { name });
    const configuration = new oidc.Configuration(
      // The library keeps the keys of an issuer with its metadata, so a copy reads them again: they may have been rotated.
      { ...metadata },
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE },
      authenticationOf(clientSecret, metadata.token_endpoint_auth_methods_supported),
    );
    configuration[oidc.customFetch] = request;
    // Tokens from the issuer have to be signed also where TLS proves their origin.
    for (const prepare of [oidc.enableNonRepudiationChecks, ...protocols]) prepare(configuration);
    return configuration;
  };
};
