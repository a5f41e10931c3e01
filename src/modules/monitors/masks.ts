import { validation } from "../../core/errors";
import type { AnyKind, Config } from "./kinds/kind";

/** Replaces a secret that the viewer may not read. Sent back, it stands for the stored value. */
export const MASK = "••••";

/** Masks the values of a record, for example of headers, and keeps its names. */
export const maskValues = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(values).map((name) => [name, MASK]));

/** Masks the possible secrets in a URL: user information, and values in the query and the fragment. */
export const maskUrl = (text: string): string =>
  text
    .replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/[?#].*$/s, (tail) =>
      tail.replace(
        /(^[?#]|[&;?#])([^=&;?#]*)(=?)([^&;?#]*)/gs,
        (_, mark, name, sign) => `${mark}${sign ? `${name}=${MASK}` : name && MASK}`,
      ),
    );

/** Which secrets are masked for a viewer: `reads` is a read-only API key, `foreign` an administrator who is not the owner. */
export type Blinds = { reads: boolean; foreign: boolean };

/** Masks the fields of a monitor that a viewer may not read. */
export const maskConfig = ({ secrets }: AnyKind, config: Config, { reads, foreign }: Blinds): Config => {
  if (!reads && !foreign) return config;
  const masked = { ...config };
  for (const [field, secret] of Object.entries(secrets)) {
    // Large fields are missing in lists.
    if (secret && masked[field] !== undefined && (reads || secret.hiddenFrom === "others"))
      masked[field] = secret.mask(masked[field]);
  }
  return masked;
};

/** Replaces a mask by the stored value: in a text, or in a record of texts. */
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
 * Replaces the masks in the fields that were sent by the stored values. A mask stands for a value only while the
 * destination stays the same: otherwise a viewer who may not read the value could send it to another server.
 * @throws {AppError} validation, for a mask without a stored value or with another destination
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
