import type { TObject } from "@sinclair/typebox";
import { getSchemaValidator } from "elysia";
import type { FieldError } from "../../../core/errors";
import type { Caller, Outbound } from "../../../probe/outbound";
import type { Outcome } from "../../../probe/retry";

/** The fields of a kind, under their names in the API. */
export type Config = Record<string, unknown>;

/** What a probe needs besides the fields of its kind. */
export type ProbeContext = {
  outbound: Outbound;
  /** Whose check it is, and whether it may connect to addresses off the public internet. */
  caller: Caller;
  /** Private addresses are refused to every user, administrators included. */
  privateForNobody: boolean;
  /** Seconds. */
  timeout: number;
};

/** A field that some viewers read masked only: read-only API keys, or also administrators who are not the owner. */
export type Secret<Value> = { hiddenFrom: "readers" | "others"; mask: (value: Value) => Value };

/** One kind of monitor: what it takes, how it is shown and how it is checked. */
export type MonitorKind<Fields extends object> = {
  /** Its name in the API. */
  kind: string;
  /** Its fields stand beside the common ones in the API, instead of in `config`. For http only. */
  flat?: boolean;
  /** The fields as they are stored and answered, with a description and an example of each for the API document. */
  config: TObject;
  /** What may be sent, where that differs. A field with `accepts` shows that in the API document. */
  sent?: TObject;
  /** Values of fields that may be left out. */
  defaults: Partial<Fields>;
  /** What is wrong beyond what the schema says, with the field's name as the path. */
  problems?: (sent: Config) => FieldError[];
  /** The fields out of what was sent, which is valid; those that were left out are undefined. */
  parse?: (sent: Config) => Partial<Fields>;
  /** Fields that may take more than a few kilobytes: lists leave them out, and a check reads them when it starts. */
  large?: readonly (keyof Fields & string)[];
  secrets?: { [Field in keyof Fields]?: Secret<Fields[Field]> };
  /** Where secrets are sent. A mask that is sent back stands for the stored value only while this is the same. */
  destination?: (fields: Fields) => string | undefined;
  /** What is checked, as one line of text. */
  target: (fields: Fields) => string;
  /** The host that quotas of checks per host count against. */
  host: (fields: Fields) => string;
  /**
   * Makes one request and gives what was found.
   * @throws {LocalFailure} when the hub itself could not make the request, which says nothing about the target
   */
  probe: (fields: Fields, context: ProbeContext) => Promise<Outcome>;
};

/** A kind whose fields are not known: what the rest of the product works with. */
export type AnyKind = Required<
  Pick<MonitorKind<Config>, "flat" | "sent" | "problems" | "parse" | "large" | "secrets">
> &
  MonitorKind<Config> & {
    /** What the schema says is wrong with the fields that were sent, and what else is, one entry for each field. */
    validate: (sent: Config) => FieldError[];
    /** The fields that were sent, out of valid ones. */
    read: (sent: Config) => Config;
  };

const isGiven = ([, value]: [string, unknown]) => value !== undefined;

/** A monitor kind for the registry. */
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
    large: kind.large ?? [],
    secrets: kind.secrets ?? {},
    validate: (given) => {
      const byPath = new Map<string, string>();
      for (const { path, message, schema } of validator.Errors(pick(given))) {
        const name = path.slice(1).replaceAll("/", ".");
        const reason = typeof schema.error === "string" ? schema.error : message;
        if (!byPath.has(name)) byPath.set(name, `${name}: ${reason}`);
      }
      const found = [...byPath].map(([path, message]) => ({ path, message }));
      return [...found, ...problems(pick(given)).filter(({ path }) => !byPath.has(path))];
    },
    read: (given) => Object.fromEntries(Object.entries(parse(validator.Decode(pick(given)))).filter(isGiven)),
  };
};
