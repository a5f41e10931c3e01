/** 256 random bits behind a prefix that tells what they are for, as a text that can stand on a command line. */
export const randomSecret = (prefix: string): string =>
  `${prefix}_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")}`;

/** What is kept of a secret: of 256 random bits a plain hash tells nothing, and finding one by it takes no comparison. */
export const hashSecret = (secret: string): string => new Bun.CryptoHasher("sha256").update(secret).digest("base64url");
