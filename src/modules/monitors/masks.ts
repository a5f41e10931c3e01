import { validation } from "../../core/errors";
import type { MonitorInput } from "./model";

/** Stands for a secret that the reader may not see. Sent back, it keeps what is stored. */
export const MASK = "••••";

/** Lists leave out headers and body. */
type Secrets = { url: string; headers?: Record<string, string>; body?: string };

const maskHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));

/** An address without what may be secret in it: user information, and the values in its query and fragment. */
const maskUrl = (text: string): string =>
  text
    .replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/[?#].*$/s, (tail) =>
      tail.replace(
        /(^[?#]|[&;?#])([^=&;?#]*)(=?)([^&;?#]*)/gs,
        (_, mark, name, sign) => `${mark}${sign ? `${name}=${MASK}` : name && MASK}`,
      ),
    );

/**
 * What a viewer may read of a monitor's request: read-only API keys no secrets at all, other administrators no header
 * values, and its owner everything.
 */
export const maskSecrets = <T extends Secrets>(
  monitor: T,
  { reads, foreign }: { reads: boolean; foreign: boolean },
): T => {
  if (!reads && !foreign) return monitor;
  const headers = monitor.headers && { headers: maskHeaders(monitor.headers) };
  return reads
    ? { ...monitor, ...headers, url: maskUrl(monitor.url), ...(monitor.body && { body: MASK }) }
    : { ...monitor, ...headers };
};

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

/** A monitor as another user's administrator is shown it: what is left out of a change keeps its mask. */
export const withMaskedHeaders = (stored: MonitorInput): MonitorInput => ({
  ...stored,
  headers: maskHeaders(stored.headers),
});

/**
 * What was sent, with the stored header value wherever its mask came back. A mask stands for the value only at the stored
 * origin: with another one, a viewer who may not read the value could have it sent to a server of their own.
 * @throws {AppError} validation, for a mask of a header that is not stored, and for one at another origin
 */
export const unmaskHeaders = (input: MonitorInput, stored?: MonitorInput): MonitorInput => {
  const known = new Map(Object.entries(stored?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const refuse = (message: string) => validation([{ path: "headers", message: `headers: ${message}` }]);
  const headers = Object.fromEntries(
    Object.entries(input.headers).map(([name, value]) => {
      if (value !== MASK) return [name, value];
      const kept = known.get(name.toLowerCase());
      if (kept === undefined) throw refuse(`${name} is masked, and no value of it is stored`);
      if (stored && originOf(stored.url) !== originOf(input.url))
        throw refuse(
          `the hidden value of ${name} is not sent to another address: enter it again, or remove the header`,
        );
      return [name, kept];
    }),
  );
  return { ...input, headers };
};
