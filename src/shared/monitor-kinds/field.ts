import type { ExpiryKind } from "../certificate";

/** The fields of a monitor, by name. */
export type Config = Record<string, unknown>;

type Common = {
  /** Its name in the API. */
  name: string;
  /** The description in the API document. */
  about: string;
  /** The description of request values in the API document; `about` if absent. */
  accepts?: string;
  /** A value for the examples of the API document. */
  example: unknown;
  /** The value in the example of an answer, if it is another one. */
  answered?: unknown;
  /** The example of a request leaves it out. */
  rare?: true;
  required?: true;
  /** The value stored for a request without the field; if absent, the field stays missing. */
  default?: unknown;
  /** Null stands for none, as an empty input of the form does. */
  nullable?: true;
  /** Masked for read-only API keys, or also for administrators who are not the owner. */
  secret?: "readers" | "others";
  /** Takes more than a few kilobytes: lists leave it out, and a check reads it when it starts. */
  large?: true;
  /** A check with it may change something at its target: the form then checks on request only. */
  hasEffects?: true;
  /** The keys of the page's words: its name, a hint, what to enter instead of a wrong value, and what stands for none. */
  label: string | ((config: Config) => string);
  hint?: string | ((config: Config, isNew: boolean) => string | undefined);
  wrong?: string;
  none?: string;
  placeholder?: string | ((config: Config) => string);
  inputMode?: "url";
  /** Whether the form has it, by the choices in other fields. */
  when?: (config: Config) => boolean;
  /**
   * How the page of a monitor shows it, if at all: beside the target, the rules of a check, or what a check sends. `on` is the
   * key of the words for a switch that is on; a switch that is off is not shown.
   */
  fact?: false | { place?: "target" | "rules" | "content"; as?: "code" | "body"; wide?: true; on?: string };
};

/** The type of a field's value. */
type Type =
  /** A host name or an IP address. */
  | { type: "host" }
  /**
   * An address with one of two schemes. `alias` is a scheme that the form replaces by the first one, and `refused` returns
   * further errors of an address.
   */
  | {
      type: "address";
      schemes: readonly [plain: string, secure: string];
      alias?: string;
      pattern?: string;
      refused?: (url: URL) => string | null;
    }
  /** `expected` names the values that `pattern` and `isValid` accept. `plain` turns a value into the stored one. */
  | {
      type: "text" | "password";
      maxLength: number;
      pattern?: string;
      isValid?: (text: string) => boolean;
      expected: string;
      plain?: (text: string) => string;
    }
  /** A text of at most `most` bytes, as typed: in UTF-8, or with escapes. `rows` is the height of its input. */
  | { type: "bytes"; most: number; escaped?: true; rows?: number }
  /** A whole number. */
  | {
      type: "number";
      min: number;
      max: number;
      unit?: string;
      /** The value that the form fills in by the choices, and all of those: it replaces one of them only. */
      usual?: { of: (config: Config) => number | undefined; all: readonly number[] };
    }
  /**
   * One of several words; the first is the initial choice. `offered` narrows them by other choices. Their texts are below the
   * key `words`, or in `names`. The page of a monitor hides the choice that is `usual`.
   */
  | {
      type: "choice";
      choices: readonly [string, ...string[]];
      offered?: (config: Config) => readonly string[];
      words?: string;
      names?: Readonly<Record<string, string>>;
      usual?: string;
      /** A new monitor has it from the choice of what to watch. */
      isPreset?: true;
    }
  | { type: "switch" }
  /** Days before the expiry of a certificate. */
  | { type: "days" }
  /** A value with a schema on the hub and a component on the page. */
  | { type: "custom"; value?: unknown };

/** A field of a monitor kind. Its validation, form, masks and API document derive from it. */
export type KindField = Common & Type;
export type FieldOf<T extends KindField["type"]> = Common & Extract<Type, { type: T }>;

type Kept = { required: true } | { default: unknown };
type ValueOf<F> = F extends { type: "custom"; value?: infer Value }
  ? NonNullable<Value>
  : F extends { choices: readonly (infer Choice)[] }
    ? Choice
    : F extends { type: "number" }
      ? number
      : F extends { type: "switch" }
        ? boolean
        : F extends { type: "days" }
          ? readonly number[]
          : string;
type StoredOf<F> = ValueOf<F> | (F extends { nullable: true } ? null : never);

/** The stored fields of a kind. */
export type ConfigOf<Fields extends readonly KindField[]> = {
  [F in Fields[number] as F extends Kept ? F["name"] : never]: StoredOf<F>;
} & { [F in Fields[number] as F extends Kept ? never : F["name"]]?: StoredOf<F> };

/** Names of fields; a nested list is one row. */
export type Rows = readonly (string | readonly string[])[];

/** A choice of what to watch that leads to a kind, with the presets that it offers. */
type Tile = { name: string; presets: readonly string[] };

/** A monitor kind without its probe. */
export type KindDescription<Fields extends readonly KindField[] = readonly KindField[], Stored = ConfigOf<Fields>> = {
  /** Its name in the API, and the key of its words. */
  kind: string;
  /** In the order of the API document. */
  fields: Fields;
  /** Whether its fields are beside the common ones in the API instead of in `config`. For http only. */
  flat?: true;
  /** Whether it waits for reports instead of being checked: then it is never due. */
  passive?: true;
  /** The names of the fields that the form asks for first, and in its fold. */
  form: { target: Rows; settings?: Rows };
  /** The fields in the order of the page of a monitor, if it is another one. */
  facts?: readonly string[];
  /** The presets of a new monitor; empty for none. */
  presets?: readonly string[];
  /** Further choices of what to watch. */
  tiles?: readonly Tile[];
  /** The checked target as one line of text. */
  target: (stored: Stored) => string;
  /** Where secrets are sent. A mask in a request stands for the stored value only while this stays the same. */
  destination?: (stored: Stored) => string | undefined;
  /** Days of alerts before the expiry of a certificate, for kinds with certificates. */
  certificateDays?: (stored: Stored) => readonly number[];
  /** What decides which certificate is seen: once it changes, the last one is forgotten. By default the target. */
  certificateSource?: (stored: Stored) => string;
  /** What expires, if it is not a certificate. */
  expires?: ExpiryKind;
  /** The shortest interval of its checks in seconds; a shorter one is raised to it. */
  leastInterval?: number;
  /** The expiry of its certificate or domain is its main figure. */
  isCertificate?: true;
  /** The keys of the page's words for a check that finds it up, if it does not just connect, and for its response time. */
  up?: string;
  response?: string;
};

/** Describes a monitor kind, with the types of its fields. */
export const describeKind = <const Fields extends readonly KindField[]>(
  kind: KindDescription<Fields>,
): KindDescription<Fields> => kind;

/** The type of a field that the hub and the page handle by themselves. */
export const custom = <Value>() => ({ type: "custom" }) as { type: "custom"; value?: Value };
