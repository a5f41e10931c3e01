import { type FieldError, validation } from "../../../core/errors";
import {
  type ChannelConfig,
  type ChannelField,
  configProblems,
  exportedConfig,
  type FieldProblem,
  maskedConfig,
  missingSecrets,
  problemCode,
  storedConfig,
  templateProblems,
  withoutSecrets,
} from "../../../shared/channel-fields";
import { templateProblemText } from "../../../shared/template/template";
import { type ChannelBody, CONFIG_EXPECTED } from "../model";
import { channelKinds, requiredFor } from "./registry";

/** The fields of a kind; empty if the stored type no longer exists, so that the row shows nothing. */
const fieldsOf = (type: string): readonly ChannelField[] => channelKinds.get(type)?.fields ?? [];

type Channel = { type: string; config: ChannelConfig };
type Role = "admin" | "user";

/** The fields as a user of this role has to fill them in. */
const fieldsFor = (type: string, role: Role): readonly ChannelField[] =>
  channelKinds.get(type)?.fields.map((field) => requiredFor(field, role)) ?? [];

/** The host that a channel sends to: its address or server, or the name of its kind if the provider's is fixed. */
export const destinationHost = ({ type, config }: Channel): string => {
  const fields = fieldsOf(type);
  const field = fields.find(({ name, type }) => type === "url" || fields.some(({ sentTo }) => sentTo === name));
  const text = (field && config[field.name]) ?? type;
  return URL.parse(text)?.hostname || text.toLowerCase();
};

/** A channel's configuration as its team may read it back; who may change nothing, `reads`, sees no paths of addresses. */
export const masked = ({ type, config }: Channel, reads = false): ChannelConfig =>
  maskedConfig(fieldsOf(type), config, { hidesUrls: reads });

/** A channel's configuration as it is exported: without its secrets. */
export const exported = ({ type, config }: Channel): ChannelConfig => exportedConfig(fieldsOf(type), config);

/** The part of a configuration that identifies an existing channel in an import. */
export const comparable = ({ type, config }: Channel): ChannelConfig => withoutSecrets(fieldsOf(type), config);

/** Whole numbers stand for their texts. */
const textsIn = (sent: Record<string, string | number>): ChannelConfig =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)]));

const isValue = (value: unknown) => typeof value === "string" || Number.isSafeInteger(value);

/** A configuration from a request: an object, or its JSON text. */
const parseConfig = (sent: ChannelBody["config"]): ChannelConfig => {
  if (typeof sent !== "string") return textsIn(sent);
  try {
    const value: unknown = JSON.parse(sent);
    if (typeof value === "object" && value !== null && Object.values(value).every(isValue))
      return textsIn(value as Record<string, string | number>);
  } catch {}
  throw validation([{ path: "config", message: `config: ${CONFIG_EXPECTED}` }]);
};

const sentenceOf = (field: ChannelField, problem: FieldProblem, config: ChannelConfig): string => {
  const { label, expected, maxLength } = field;
  const [place] = problem === "invalid" && field.type === "template" ? templateProblems(field, config) : [];
  if (place) return `The ${label} is invalid: ${templateProblemText(place, "en-US")}`;
  if (problem === "required") return `The ${label} is required`;
  if (problem === "too_long") return `The ${label} is too long: expected at most ${maxLength} characters`;
  return `The ${label} is invalid${expected ? `: expected ${expected}` : ""}`;
};

type Problem = FieldError & { code: string };

/** The problems of a configuration, by field name. `shown` is the stored one with its secrets masked. */
const problemsOf = (fields: readonly ChannelField[], config: ChannelConfig, shown?: ChannelConfig): Problem[] => {
  const problems = configProblems(fields, config, shown);
  return fields.flatMap((field) => {
    const problem = problems[field.name];
    return problem
      ? [{ path: field.name, message: sentenceOf(field, problem, config), code: problemCode(field, problem) }]
      : [];
  });
};

const nameProblems = (name: string | undefined): Problem[] =>
  name?.trim() === "" ? [{ path: "name", message: "A name is required", code: "name_required" }] : [];

/** The fields that a user of this role has to fill in before the channel may send. */
const missingFields = ({ type, config }: Channel, role: Role): Problem[] =>
  problemsOf(fieldsFor(type, role), config).filter(({ code }) => code.endsWith("_required"));

/** Whether a user of this role may send through a channel. */
export const isComplete = (channel: Channel, role: Role): boolean => missingFields(channel, role).length === 0;

/**
 * Refuses a channel that a user of this role may not send through.
 * @throws {AppError} validation
 */
export const assertComplete = (channel: Channel, role: Role): void => {
  const errors = missingFields(channel, role);
  if (errors.length > 0) throw validation(errors);
};

/**
 * The configuration to store for a request of a user of this role. Masks of `stored`, a channel of the same type, stand for its
 * secrets. Without a name only the configuration is checked.
 * @throws {AppError} validation, with an entry for each field that is wrong
 */
export const checkConfig = (
  { type, config: sent, name }: { type: string; config: ChannelBody["config"]; name?: string },
  role: Role,
  stored?: Channel,
): ChannelConfig => {
  const config = parseConfig(sent);
  if (!channelKinds.has(type))
    throw validation([{ path: "type", message: "type: this kind of channel cannot be used yet" }]);
  const before = stored?.type === type ? stored : undefined;
  const errors = [...nameProblems(name), ...problemsOf(fieldsFor(type, role), config, before && masked(before))];
  if (errors.length > 0) throw validation(errors);
  return storedConfig(fieldsOf(type), config, before?.config);
};

/** A channel from a file; `complete` if no secret is missing. */
export const readImported = (
  { type, config: numbersAndTexts, name }: { type: string; config: Record<string, string | number>; name: string },
  refuse: (path: string, message: string) => void,
): { config: ChannelConfig; complete: boolean } => {
  const sent = textsIn(numbersAndTexts);
  const missing = missingSecrets(fieldsOf(type), sent);
  for (const { path, message } of nameProblems(name)) refuse(path, message);
  for (const { path, message } of problemsOf(fieldsOf(type), sent))
    if (!missing.includes(path)) refuse(`config.${path}`, message);
  const config = storedConfig(fieldsOf(type), sent);
  const complete = missing.length === 0;
  return { config: complete ? config : withoutSecrets(fieldsOf(type), config), complete };
};
