import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Generates 256 random bits as URL-safe text with a prefix that names their purpose. */
export const randomSecret = (prefix: string): string =>
  `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

/** Hashes a random secret for storage and lookup. A plain hash of 256 random bits cannot be reversed. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("base64url");

// Without I, O, 0 and 1, which are easily confused: 5 bits for each character.
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const GROUP = 5;

/** Generates a code that people copy by hand: groups of 5 characters, each with 25 random bits. */
export const randomCode = (groups: number): string =>
  [...crypto.getRandomValues(new Uint8Array(groups * GROUP))]
    .map((byte, index) => (index > 0 && index % GROUP === 0 ? "-" : "") + ALPHABET[byte % ALPHABET.length])
    .join("");

/** Hashes a code of `randomCode` regardless of case, spaces and hyphens. */
export const hashCode = (code: string): string => hashSecret(code.toUpperCase().replace(/[^\dA-Z]/g, ""));

const CIPHER = "aes-256-gcm";
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** A key for one purpose, derived from a secret by HKDF. */
const derivedKey = (secret: string, purpose: string) => Buffer.from(hkdfSync("sha256", secret, "", purpose, 32));

/** Encrypts bytes with AES-256-GCM, by a key that is derived from a secret for one purpose. */
export const seal = (secret: string, purpose: string, bytes: Uint8Array): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, derivedKey(secret, purpose), nonce);
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]).toString("base64url");
};

/** Decrypts what `seal` has encrypted; undefined when it was sealed with another secret or purpose, or was changed. */
export const unseal = (secret: string, purpose: string, sealed: string): Uint8Array | undefined => {
  const bytes = Buffer.from(sealed, "base64url");
  try {
    const decipher = createDecipheriv(CIPHER, derivedKey(secret, purpose), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
};
