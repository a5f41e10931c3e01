/** The only addresses of a name that a request may use. */
export type Family = 4 | 6;

/** The host has no address of the requested family. */
export class NoSuchFamily extends Error {
  override name = "NoSuchFamily";
  constructor(readonly family: Family) {
    super(`IPv${family}`);
  }
}

/** The caller may connect to none of the host's addresses. */
export class AddressBlocked extends Error {
  override name = "AddressBlocked";
}
