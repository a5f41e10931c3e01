import { getSchemaValidator } from "elysia";
import { AppError, type FieldError } from "../../../core/errors";
import type { Caller, Outbound } from "../../../probe/outbound";
import type { Outcome } from "../../../probe/outcome";
import { decodeErrors, reasonOf } from "../../../server/schema";
import type { ConfigOf, Config as Fields, KindDescription, KindField } from "../../../shared/monitor-kinds/field";
import { hostnameOf, hostOfAddress } from "../../../shared/monitor-kinds/host";
import { configProblems, defaultsOf, storedValue } from "../../../shared/monitor-kinds/validate";
import { type FieldSchemas, schemasOf } from "./fields";

/** The fields of a kind, under their names in the API. */
export type Config = Fields;

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

/** The hub's part of a kind: its probe, and everything that does not follow from its fields. */
type HubPart<Stored> = {
  /** Whether its checks send packets, which may be lost. */
  sendsPackets?: true;
  /** The schemas of custom fields. */
  schemas?: Readonly<Record<string, FieldSchemas>>;
  /** Validates the fields beyond what the page finds as well. Paths are names of fields. */
  problems?: (sent: Config) => FieldError[];
  /** Converts what the types of the fields leave as it was sent; missing fields are undefined. */
  parse?: (read: Config) => Config;
  /** Completes sent fields by stored or default ones; by default sent fields replace those with the same name. */
  merge?: (kept: Config, given: Config) => Config;
  /**
   * The name or address, without brackets, that the limit of requests per host applies to; by default the value of its field.
   */
  host?: (stored: Stored) => string;
  /** Why this can't be checked from this machine or at all; null if it can. A kind without it can always be checked. */
  unavailable?: (outbound: Outbound, stored: Stored) => Promise<"ping_unavailable" | "rdap_unavailable" | null>;
  /**
   * Makes one request and returns its outcome.
   * @throws {LocalFailure} when the hub itself could not make the request, which says nothing about the target
   */
  probe: (stored: Stored, context: ProbeContext) => Promise<Outcome>;
};

/** A kind with fields of unknown types, as the rest of the product uses it. */
export type AnyKind = ReturnType<typeof defineKind>;

/** @throws {AppError} when a monitor with this configuration can't be checked */
export const requireAvailable = async (
  kind: AnyKind | undefined,
  config: Config,
  outbound: Outbound,
): Promise<void> => {
  const code = await kind?.unavailable?.(outbound, config);
  if (code) throw new AppError(code);
};

const isGiven = ([, value]: [string, unknown]) => value !== undefined;

/** The host or address among the fields, as the limit of requests per host has it. */
const hostIn = (fields: readonly KindField[], config: Config): string => {
  const field = fields.find(({ type }) => type === "host" || type === "address");
  const text = String(field && config[field.name]);
  return field?.type === "host" ? (hostnameOf(text) ?? text) : hostOfAddress(text);
};

/** A kind of monitor out of its description and its probe. */
export const defineKind = <const Own extends readonly KindField[]>(
  described: KindDescription<Own>,
  added: HubPart<ConfigOf<Own>>,
) => {
  const description = described as unknown as KindDescription<readonly KindField[], Config>;
  const { schemas, problems, parse = (read) => read, ...hub } = added as unknown as HubPart<Config>;
  const { fields } = description;
  const { sent, config } = schemasOf(fields, schemas);
  const validator = getSchemaValidator(sent);
  const pick = (from: Config): Config =>
    Object.fromEntries(
      Object.keys(sent.properties).flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])),
    );
  return {
    ...description,
    merge: (kept: Config, given: Config): Config => ({ ...kept, ...given }),
    host: (stored: Config) => hostIn(fields, stored),
    ...hub,
    flat: description.flat ?? false,
    sent,
    config,
    /** Default values of optional fields. */
    defaults: defaultsOf(fields),
    large: fields.filter(({ large }) => large).map(({ name }) => name),
    /** Validates the fields that were sent by the schema and by `problems`, with one entry for each bad field. */
    validate: (given: Config): FieldError[] => {
      const byPath = new Map<string, string>();
      const picked = pick(given);
      for (const issue of validator.Errors(picked)) {
        const name = issue.path.slice(1).replaceAll("/", ".");
        if (!byPath.has(name)) byPath.set(name, `${name}: ${reasonOf(issue)}`);
      }
      const invalid = [...byPath].map(([path, message]) => ({ path, message }));
      const errors = invalid.length > 0 ? invalid : decodeErrors(sent, picked);
      const further = [
        ...configProblems(fields, picked).map(([path, message]) => ({ path, message: `${path}: ${message}` })),
        ...(problems?.(picked) ?? []),
      ];
      return [...errors, ...further.filter(({ path }) => !errors.some((one) => one.path === path))];
    },
    /** Converts valid fields that were sent to stored ones, without the missing ones. */
    read: (given: Config): Config => {
      const decoded: Config = validator.Decode(pick(given));
      const entries = fields.map((field) => [field.name, storedValue(field, decoded[field.name])]);
      return Object.fromEntries(Object.entries(parse({ ...decoded, ...Object.fromEntries(entries) })).filter(isGiven));
    },
  };
};
