import { validation } from "../../core/errors";
import type { AnyKind, Config } from "./kinds/kind";

/** Stands for a secret that the reader may not see. Sent back, it keeps what is stored. */
export const MASK = "••••";

/** The names of a record, such as headers, with their values masked. */
export const maskValues = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, MASK]));

/** A URL without what may be secret in it: user information, and the values in its query and fragment. */
export const maskUrl = (text: string): string =>
  text
    .replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/[?#].*$/s, (tail) =>
      tail.replace(
        /(^[?#]|[&;?#])([^=&;?#]*)(=?)([^&;?#]*)/gs,
        (_, mark, name, sign) => `${mark}${sign ? `${name}=${MASK}` : name && MASK}`,
      ),
    );

/** Which secrets a viewer may not read: `reads` for a read-only API key, `foreign` for another user's administrator. */
export type Blinds = { reads: boolean; foreign: boolean };

/** The fields of a monitor as a viewer may read them. */
export const maskConfig = ({ secrets }: AnyKind, config: Config, { reads, foreign }: Blinds): Config => {
  if (!reads && !foreign) return config;
  const masked = { ...config };
  for (const [field, secret] of Object.entries(secrets)) {
    // Lists leave out large fields.
    if (secret && masked[field] !== undefined && (reads || secret.hiddenFrom === "others"))
      masked[field] = secret.mask(masked[field]);
  }
  return masked;
};

/** A field's value with the stored one wherever its mask came back: a text, or a record of texts. */
const unmaskValue = (sent: unknown, stored: unknown, keep: (name: string, stored: string | undefined) => string) => {
  if (sent === MASK) return keep("this value", stored as string | undefined);
  if (typeof sent !== "object" || sent === null) return sent;
  const known = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value as string]));
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === MASK ? keep(name, known.get(name.toLowerCase())) : value,
    ]),
  );
};

/**
 * The fields that were sent, with the stored value wherever its mask came back. A mask stands for the value only while
 * the destination is the stored one: otherwise a viewer who may not read the value could have it sent to a server of
 * their own.
 * @throws {AppError} validation, for a mask of what is not stored, and for one at another destination
 */
export const unmaskConfig = (
  { secrets, destination, flat }: AnyKind,
  config: Config,
  stored: Config | undefined,
): Config => {
  const unmasked = { ...config };
  for (const [field, secret] of Object.entries(secrets)) {
    if (secret?.hiddenFrom !== "others") continue;
    const path = flat ? field : `config.${field}`;
    const refuse = (message: string) => validation([{ path, message: `${path}: ${message}` }]);
    unmasked[field] = unmaskValue(config[field], stored?.[field], (name, kept) => {
      if (kept === undefined) throw refuse(`${name} is masked, and no value of it is stored`);
      if (stored && destination && destination(stored) !== destination(config))
        throw refuse(`the hidden value of ${name} is not sent to another address: enter it again, or remove it`);
      return kept;
    });
  }
  return unmasked;
};
