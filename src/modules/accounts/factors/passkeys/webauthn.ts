import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Deps } from "../../../../core/deps";
import { isAddressOrLocalhost } from "../../../../lib/host";
import type { Assertion, Attestation } from "./model";

/*
 * What a server checks of WebAuthn (level 3, sections 7.1 and 7.2), without attestation: the browser hands over the public key as
 * SubjectPublicKeyInfo and the authenticator data as bytes at fixed offsets, so that no CBOR is read.
 */

/** The site that passkeys are made for and used at. */
export type RelyingParty = { id: string; origin: string };

const isLocalhost = (hostname: string) => /^(.+\.)?localhost$/.test(hostname);

/**
 * The site of a request: PUBLIC_URL, or without it the page that sent the request, if it is a page of the hub. Null where browsers
 * have no passkeys: under an IP address, and over http except on localhost.
 */
export const relyingPartyOf = (
  { config }: Pick<Deps, "config">,
  { headers }: Pick<Request, "headers">,
): RelyingParty | null => {
  const url = URL.parse(config.publicUrl || (headers.get("origin") ?? ""));
  if (!url || (!config.publicUrl && url.host !== headers.get("host")?.toLowerCase())) return null;
  const { hostname, origin, protocol } = url;
  const local = isLocalhost(hostname);
  if (protocol !== "https:" && !(protocol === "http:" && local)) return null;
  return isAddressOrLocalhost(hostname) && !local ? null : { id: hostname, origin };
};

/** The algorithms of public keys, as COSE numbers them: EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257] as const;

/** A public key of one of these algorithms; undefined for every other one. */
const parseKey = (spki: string): KeyObject | undefined => {
  try {
    const key = createPublicKey({ key: Buffer.from(spki, "base64url"), format: "der", type: "spki" });
    const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve, modulusLength = 0 } = {} } = key;
    if (type === "ed25519" || (type === "ec" && namedCurve === "prime256v1")) return key;
    return type === "rsa" && modulusLength >= 2048 ? key : undefined;
  } catch {
    return undefined;
  }
};

const isSigned = (key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", data, key, signature);
  } catch {
    return false;
  }
};

const sha256 = (data: string | Uint8Array): Buffer => new Bun.CryptoHasher("sha256").update(data).digest();

/** The challenge that a browser has answered for a page of the site; undefined for another site or ceremony. */
const challengeOf = (json: Uint8Array, type: "webauthn.create" | "webauthn.get", { origin }: RelyingParty) => {
  try {
    const client = Object(JSON.parse(new TextDecoder().decode(json)));
    const isOurs = client.type === type && client.origin === origin && client.crossOrigin !== true;
    return isOurs && typeof client.challenge === "string" ? (client.challenge as string) : undefined;
  } catch {
    return undefined;
  }
};

/** Bits of the flags in authenticator data. */
const [USER_PRESENT, USER_VERIFIED, BACKED_UP, HAS_CREDENTIAL] = [0x01, 0x04, 0x10, 0x40];
/** The offsets of flags, counter and credential: after the hash of the site, a byte, and four bytes. */
const [FLAGS, COUNTER, CREDENTIAL] = [32, 33, 37];
const AAGUID_BYTES = 16;

/** Parses authenticator data; undefined if it is for another site, or its user was not present. */
const parseAuthenticatorData = (data: Buffer, { id }: RelyingParty) => {
  if (data.length < CREDENTIAL || !data.subarray(0, FLAGS).equals(sha256(id))) return undefined;
  const flags = data.readUInt8(FLAGS);
  if (!(flags & USER_PRESENT)) return undefined;
  const length = CREDENTIAL + AAGUID_BYTES;
  const hasCredential = (flags & HAS_CREDENTIAL) !== 0 && data.length >= length + 2;
  const credential = hasCredential ? data.subarray(length + 2, length + 2 + data.readUInt16BE(length)) : undefined;
  return {
    userVerified: (flags & USER_VERIFIED) !== 0,
    backedUp: (flags & BACKED_UP) !== 0,
    counter: data.readUInt32BE(COUNTER),
    credentialId: credential?.toString("base64url"),
  };
};

const bytes = (text: string) => Buffer.from(text, "base64url");

/** Verifies a new passkey, and returns the challenge that it answers; undefined if it is not valid at the site. */
export const verifyAttestation = ({ id, response }: Attestation, party: RelyingParty) => {
  const challenge = challengeOf(bytes(response.clientDataJSON), "webauthn.create", party);
  const data = parseAuthenticatorData(bytes(response.authenticatorData), party);
  if (challenge === undefined || data?.credentialId !== id || !parseKey(response.publicKey)) return undefined;
  return { challenge, counter: data.counter, backedUp: data.backedUp };
};

/** Verifies a signature by a passkey, and returns the signed values; undefined if it is wrong, or for another site. */
export const verifyAssertion = ({ response }: Assertion, publicKey: string, party: RelyingParty) => {
  const clientData = bytes(response.clientDataJSON);
  const challenge = challengeOf(clientData, "webauthn.get", party);
  const authenticatorData = bytes(response.authenticatorData);
  const data = parseAuthenticatorData(authenticatorData, party);
  const key = parseKey(publicKey);
  if (challenge === undefined || !data || !key) return undefined;
  const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
  return isSigned(key, signed, bytes(response.signature)) ? { challenge, ...data } : undefined;
};
