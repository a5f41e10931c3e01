/** Generates 256 random bits as URL-safe text with a prefix that names their purpose. */
export const randomSecret = (prefix: string): string =>
  `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

/** Hashes a random secret for storage and lookup. A plain hash of 256 random bits cannot be reversed. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("base64url");
