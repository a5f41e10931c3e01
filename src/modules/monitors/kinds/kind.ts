import type { TObject } from "@sinclair/typebox";
import { getSchemaValidator } from "elysia";
import { AppError, type FieldError, validation } from "../../../core/errors";
import type { Caller, Outbound } from "../../../probe/outbound";
import type { Outcome } from "../../../probe/outcome";
import { decodeErrors, reasonOf } from "../../../server/schema";

/** The fields of a kind, under their names in the API. */
export type Config = Record<string, unknown>;

/** The parameters of a probe besides the fields of its kind. */
export type ProbeContext = {
  outbound: Outbound;
  /** The owner's limits, and whether the check may connect to private addresses. */
  caller: Caller;
  /** Whether private addresses are refused to all users, including administrators. */
  privateBlockedForAll: boolean;
  /** Seconds. */
  timeout: number;
};

/** A field that is masked for read-only API keys, or also for administrators who are not the owner. */
type Secret<Value> = { hiddenFrom: "readers" | "others"; mask: (value: Value) => Value };

/** A kind of monitor: its fields, how they are presented, and how it is checked. */
type MonitorKind<Fields extends object> = {
  /** Its name in the API. */
  kind: string;
  /** Whether it waits for reports instead of being checked: then it is never due, and `probe` refuses. */
  passive?: true;
  /** Whether its checks send packets, of which some may be lost. */
  sendsPackets?: true;
  /** Whether its fields are beside the common ones in the API instead of in `config`. For http only. */
  flat?: boolean;
  /** The fields as they are stored and answered, with descriptions and examples for the API document. */
  config: TObject;
  /** The fields that may be sent, if they differ. The API document shows the schema in `accepts` instead of a field's own. */
  sent?: TObject;
  /** Default values of optional fields. */
  defaults: Partial<Fields>;
  /** Validates the fields beyond the schema. Paths are names of fields. */
  problems?: (sent: Config) => FieldError[];
  /** Converts valid fields that were sent to stored ones; missing ones are undefined. */
  parse?: (sent: Config) => Partial<Fields>;
  /** Completes fields that were sent by those that are stored or default; by default they replace those of their names. */
  merge?: (kept: Config, given: Config) => Config;
  /** Fields that may take more than a few kilobytes: lists leave them out, and a check reads them when it starts. */
  large?: readonly (keyof Fields & string)[];
  secrets?: { [Field in keyof Fields]?: Secret<Fields[Field]> };
  /** Where secrets are sent. A mask in a request stands for the stored value only while this stays the same. */
  destination?: (fields: Fields) => string | undefined;
  /** The checked target as one line of text. */
  target: (fields: Fields) => string;
  /** How many days before the expiry of a certificate alerts are sent; kinds without it have none. */
  certificateDays?: (fields: Fields) => readonly number[];
  /** What decides which certificate is seen: once it changes, the last one is forgotten. By default the target. */
  certificateSource?: (fields: Fields) => string;
  /** The name or address, without brackets, to which the limit of requests per host applies. */
  host: (fields: Fields) => string;
  /** Why this machine can't check anything of this kind; null if it can. A kind without it needs nothing of the machine. */
  unavailable?: (outbound: Outbound) => Promise<"ping_unavailable" | null>;
  /**
   * Makes one request and returns its outcome.
   * @throws {LocalFailure} when the hub itself could not make the request, which says nothing about the target
   */
  probe: (fields: Fields, context: ProbeContext) => Promise<Outcome>;
};

/** A kind with fields of unknown types, as the rest of the product uses it. */
export type AnyKind = Required<
  Pick<MonitorKind<Config>, "flat" | "sent" | "problems" | "parse" | "merge" | "large" | "secrets">
> &
  MonitorKind<Config> & {
    /** Validates the fields that were sent by the schema and by `problems`, with one entry for each bad field. */
    validate: (sent: Config) => FieldError[];
    /** Converts valid fields that were sent to stored ones, without the missing ones. */
    read: (sent: Config) => Config;
  };

/** @throws {AppError} when this machine can't check monitors of the kind */
export const requireAvailable = async (kind: AnyKind | undefined, outbound: Outbound): Promise<void> => {
  const code = await kind?.unavailable?.(outbound);
  if (code) throw new AppError(code);
};

const isGiven = ([, value]: [string, unknown]) => value !== undefined;

/** Completes the definition of a monitor kind for the registry. */
export const defineKind = <Fields extends object>(definition: MonitorKind<Fields>): AnyKind => {
  const kind = definition as unknown as MonitorKind<Config>;
  const { config, sent = config, problems = () => [], parse = (fields) => fields } = kind;
  const validator = getSchemaValidator(sent);
  const pick = (from: Config): Config =>
    Object.fromEntries(
      Object.keys(sent.properties).flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])),
    );
  return {
    ...kind,
    flat: kind.flat ?? false,
    sent,
    problems,
    parse,
    merge: kind.merge ?? ((kept, given) => ({ ...kept, ...given })),
    large: kind.large ?? [],
    secrets: kind.secrets ?? {},
    validate: (given) => {
      const byPath = new Map<string, string>();
      for (const issue of validator.Errors(pick(given))) {
        const name = issue.path.slice(1).replaceAll("/", ".");
        if (!byPath.has(name)) byPath.set(name, `${name}: ${reasonOf(issue)}`);
      }
      const invalid = [...byPath].map(([path, message]) => ({ path, message }));
      const found = invalid.length > 0 ? invalid : decodeErrors(sent, pick(given));
      return [...found, ...problems(pick(given)).filter(({ path }) => !found.some((one) => one.path === path))];
    },
    read: (given) => Object.fromEntries(Object.entries(parse(validator.Decode(pick(given)))).filter(isGiven)),
  };
};

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
type Blinds = { reads: boolean; foreign: boolean };

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
