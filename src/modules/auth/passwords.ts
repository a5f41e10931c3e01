/** Hashes a password with argon2id (64 MiB, two passes). Call it within the password queue. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password, "argon2id");

/** The hash of a random secret: an unknown username must cost as much as a wrong password. */
const DECOY =
  "$argon2id$v=19$m=65536,t=2,p=1$ieZdWBgwDCXxJ1IGnfw5NRxEpYsAja/eh2pIw34JTm0$Huy4vsNfpY0AMzRIV56cVbcOih8Q4NDqdgDFoahE2Qg";

/** Whether this is the password of a hash. Without a hash the answer is false, and takes the same time. */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> =>
  (await Bun.password.verify(password, hash ?? DECOY)) && hash !== undefined;
