/** Stands for a secret that the viewer may not read. Sent back, it stands for the stored value. */
export const MASK = "••••";

export const isMask = (text: string): boolean => text.startsWith(MASK);

/** A mask with the last characters, which identify a long secret; a short one shows none. */
export const maskWithEnd = (secret: string): string => `${MASK}${secret.length > 8 ? secret.slice(-4) : ""}`;

/** Masks a text, unless it is empty, or the values of a record, for example of headers, whose names stay. */
export const maskValue = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK]))
    : value && MASK;

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

/** A value without its masks: texts lose them, and records the entries that are masked. */
export const withoutMasks = (value: unknown): unknown => {
  if (typeof value === "string") return value.replaceAll(new RegExp(`${MASK}@?`, "g"), "");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => (inner === MASK ? [] : [[name, withoutMasks(inner)]])),
  );
};
