import { isMask, MASK, maskWithEnd } from "./mask";
import { checkTemplate, type TemplateFormat, type TemplateProblem } from "./template/template";

/** A channel's configuration: the text of each field, by its name. */
export type ChannelConfig = Record<string, string>;

/** One field of a channel kind. Every value is JSON, so that the page gets it from the API and draws its form from it. */
export type ChannelField = {
  name: string;
  /** An English noun for the value: "bot token". */
  label: string;
  /**
   * `list` holds items separated by commas, `headers` one `Name: value` in each line, `choice` one of `choices`, `template`
   * a template of several lines.
   */
  type: "text" | "list" | "url" | "headers" | "choice" | "template";
  choices?: readonly string[];
  /** The choice that counts where none is made. */
  initial?: string;
  /** For templates: the field with the format of the result. */
  format?: string;
  required?: boolean;
  /** A secret is shown and exported masked; of `headers`, each value is one. */
  secret?: boolean;
  /** In characters. */
  maxLength: number;
  /** A regular expression that the whole text, or each item of a list, has to match. */
  pattern?: string;
  /** The expected value in English: "an address, or Name <address>". */
  expected?: string;
  example: string;
  /** The stem of its error codes `<stem>_required` and `<stem>_invalid`; its name in snake case when absent. */
  code?: string;
  /**
   * The field with the URL or host that receives this secret: a stored secret is kept only while the destination is the same.
   */
  sentTo?: string;
};

/** The part of a channel kind that the page needs. */
export type ChannelForm = {
  kind: string;
  /** SVG path data on a grid of 24 × 24. */
  icon: string;
  fields: readonly ChannelField[];
  /** Whether a test shows what the provider answered also when it succeeds: a free address may mean something else. */
  quotesAnswer: boolean;
};

export type FieldProblem = "required" | "invalid" | "too_long";

const MAX_HEADERS = 20;
/** Shorter values of headers also appear in ordinary words. */
const MIN_REDACTED = 4;
const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}):[ \t]*([!-~](?:[\t -~]*[!-~])?)$/;
/** Set by the request itself. */
const OWN_HEADERS =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|accept-encoding|upgrade|keep-alive|te|trailer|expect|x-wakeful-.*)$/i;

const linesOf = (text: string): string[] => text.split(/\r?\n/).flatMap((line) => line.trim() || []);
/** The items of a list that is separated by commas. */
export const itemsOf = (text: string): string[] => text.split(",").flatMap((item) => item.trim() || []);

const splitHeader = (line: string): [name: string, value: string] => {
  const [name = "", ...value] = line.split(":");
  return [name.trim(), value.join(":").trim()];
};

/** The headers of a valid `headers` field. */
export const headersOf = (text: string): [name: string, value: string][] => linesOf(text).map(splitHeader);

/** An http or https address without credentials, which a request would not send. */
export const isWebAddress = (text: string): boolean => {
  if (!/^https?:\/\/[^\s/?#\\]\S*$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
};

const originOf = (text = ""): string | null => (isWebAddress(text.trim()) ? new URL(text.trim()).origin : null);

const maskedHeader = (line: string): string => {
  const [name, value] = splitHeader(line);
  return `${name}: ${maskWithEnd(value)}`;
};

/** A field's value as its owner may read it back. */
const maskedValue = ({ secret, type }: ChannelField, value: string): string => {
  if (!secret || value === "") return value;
  return type === "headers" ? linesOf(value).map(maskedHeader).join("\n") : maskWithEnd(value);
};

/** A URL without its path and query, which often hold a token. */
const maskedUrl = (text: string): string => {
  const origin = originOf(text);
  return origin && text.trim().replace(/\/$/, "").toLowerCase() !== origin ? `${origin}/${MASK}` : text;
};

/**
 * A configuration with its secrets masked, and without fields that its kind does not have. With `hidesUrls`, addresses
 * show their origin only.
 */
export const maskedConfig = (
  fields: readonly ChannelField[],
  config: ChannelConfig,
  { hidesUrls = false } = {},
): ChannelConfig =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = config[field.name];
      if (value === undefined) return [];
      return [[field.name, hidesUrls && field.type === "url" ? maskedUrl(value) : maskedValue(field, value)]];
    }),
  );

/** The origin of a URL, or a host; empty when there is neither. */
const destinationOf = (text = ""): string => originOf(text) ?? (text.includes("://") ? "" : text.trim().toLowerCase());

/** Whether a stored secret may stay: not when its configuration now sends it to another destination. */
const mayStay = ({ sentTo }: ChannelField, sent: ChannelConfig, stored: ChannelConfig): boolean =>
  sentTo === undefined ||
  (destinationOf(sent[sentTo]) !== "" && destinationOf(sent[sentTo]) === destinationOf(stored[sentTo]));

/** What is wrong with the template in a field; places count in the text as it is in the configuration. */
export const templateProblems = ({ name, format = "" }: ChannelField, config: ChannelConfig): TemplateProblem[] => {
  const text = config[name] ?? "";
  const formats: readonly string[] = ["text", "form"] satisfies TemplateFormat[];
  const chosen = config[format] ?? "";
  return text.trim() === "" ? [] : checkTemplate(text, formats.includes(chosen) ? (chosen as TemplateFormat) : "json");
};

const headersProblem = (text: string, masked: string): FieldProblem | null => {
  const [lines, maskedLines] = [linesOf(text), new Set(linesOf(masked))];
  const names = new Set(lines.map((line) => splitHeader(line)[0].toLowerCase()));
  const valid = lines.every(
    (line) => maskedLines.has(line) || (HEADER.test(line) && !OWN_HEADERS.test(splitHeader(line)[0])),
  );
  return valid && names.size === lines.length && lines.length <= MAX_HEADERS ? null : "invalid";
};

const problemOf = (field: ChannelField, sent: ChannelConfig, masked: string): FieldProblem | null => {
  const text = (sent[field.name] ?? "").trim();
  const { type, required, secret, maxLength, pattern, choices } = field;
  if (text.length > maxLength) return "too_long";
  if (secret && text !== "" && text === masked) return null;
  const parts = type === "list" ? itemsOf(text) : [text];
  if (parts.length === 0 || text === "" || (type === "text" && secret && isMask(text))) {
    if (required) return "required";
    // A mask of another secret must not silently switch the optional one off.
    return text === "" ? null : "invalid";
  }
  if (type === "headers") return headersProblem(text, masked);
  if (type === "template") return templateProblems(field, sent).length > 0 ? "invalid" : null;
  if (type === "choice") return choices?.includes(text) ? null : "invalid";
  if (type === "url") return isWebAddress(text) ? null : "invalid";
  const expected = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`);
  return expected && !parts.every((part) => expected.test(part)) ? "invalid" : null;
};

/**
 * What is wrong with a configuration, by field. Server and page both validate by it. `shown` is the stored
 * configuration with its secrets masked: a secret that is sent back as it was shown stays.
 */
export const configProblems = (
  fields: readonly ChannelField[],
  sent: ChannelConfig,
  shown: ChannelConfig = {},
): Record<string, FieldProblem> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const keptValue = mayStay(field, sent, shown) ? (shown[field.name] ?? "") : "";
      const problem = problemOf(field, sent, keptValue);
      return problem ? [[field.name, problem]] : [];
    }),
  );

const storedHeaders = (text: string, stored: string): string => {
  const lineByMask = new Map(linesOf(stored).map((line) => [maskedHeader(line), line]));
  return linesOf(text)
    .map((line) => lineByMask.get(line) ?? line)
    .filter((line) => !isMask(splitHeader(line)[1]))
    .join("\n");
};

const storedValue = ({ name, type, secret }: ChannelField, text: string, stored: ChannelConfig): string => {
  const before = stored[name] ?? "";
  if (type === "headers") return storedHeaders(text, before);
  if (!secret || !isMask(text)) return text;
  return before !== "" && text === maskWithEnd(before) ? before : "";
};

/**
 * What is stored of a configuration that was sent: fields of its kind that are not empty, each mask replaced by the
 * secret for which it stands. A mask that stands for no stored secret is left out.
 */
export const storedConfig = (
  fields: readonly ChannelField[],
  sent: ChannelConfig,
  stored: ChannelConfig = {},
): ChannelConfig => {
  const resolve = (field: ChannelField, before: ChannelConfig) =>
    storedValue(field, (sent[field.name] ?? "").trim(), before);
  // A destination may itself be a secret, and is then sent as a mask.
  const destinations = Object.fromEntries(
    fields.filter(({ sentTo }) => sentTo === undefined).map((field) => [field.name, resolve(field, stored)]),
  );
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = resolve(field, mayStay(field, destinations, stored) ? stored : {});
      return value === "" ? [] : [[field.name, value]];
    }),
  );
};

/** The texts in a configuration that must not appear in logs and answers. Of a header, also each word of its value. */
export const secretsIn = (fields: readonly ChannelField[], config: ChannelConfig): string[] =>
  fields
    .filter(({ secret }) => secret)
    .flatMap(({ name, type }) => {
      const text = config[name] ?? "";
      if (type !== "headers") return text === "" ? [] : [text];
      return headersOf(text)
        .flatMap(([, value]) => [value, ...value.split(/\s+/)])
        .filter((word) => word.length >= MIN_REDACTED);
    });

/** A configuration without its secrets. */
export const withoutSecrets = (fields: readonly ChannelField[], config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(
    fields.flatMap(({ name, secret }) => (secret || !config[name] ? [] : [[name, config[name] as string]])),
  );

/**
 * A configuration that may leave the hub: without its secrets. A bare mask marks an optional secret that is set, so
 * that an import does not take the channel for complete.
 */
export const exportedConfig = (fields: readonly ChannelField[], config: ChannelConfig): ChannelConfig => ({
  ...withoutSecrets(fields, config),
  ...Object.fromEntries(
    fields.flatMap(({ name, secret, required }) => (secret && !required && config[name] ? [[name, MASK]] : [])),
  ),
});

/** The secrets that are missing: required ones that are absent, and any of which only a mask is there. */
export const missingSecrets = (fields: readonly ChannelField[], sent: ChannelConfig): string[] =>
  fields
    .filter(({ name, type, secret, required }) => {
      const text = (sent[name] ?? "").trim();
      const masked = type === "headers" ? linesOf(text).some((line) => line.includes(MASK)) : isMask(text);
      return secret && (masked || (required && text === ""));
    })
    .map(({ name }) => name);

/** A problem's error code, which stays the same for good. */
export const problemCode = ({ name, code }: ChannelField, problem: FieldProblem): string =>
  problem === "too_long"
    ? problem
    : `${code ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_${problem}`;
