import { type FieldError, validation } from "../../../core/errors";
import type { ChannelType } from "../../../shared/alerts";
import type { ChannelBody } from "../model";
import type { ChannelConfig } from "./http";
import { channelKinds } from "./registry";

const MASK = "••••";
/** Enough of it to tell which one it is, and of a short one nothing. */
const mask = (secret: string) => `${MASK}${secret.length > 8 ? secret.slice(-4) : ""}`;

/** Every kind's: a configuration may hold fields that were left over from another kind. */
const SECRETS = new Set(Object.values(channelKinds).flatMap(({ secrets }) => secrets));

/** A configuration as anybody may read it back. */
export const masked = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(
    Object.entries(config).map(([field, value]) => [field, SECRETS.has(field) && value ? mask(value) : value]),
  );

/** A configuration that may leave the console: its secrets are not in it, not even masked. */
export const withoutSecrets = (config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([field, value]) => !SECRETS.has(field) && value !== ""));

/** The fields of a kind that are secret. */
export const secretsOf = (type: ChannelType): readonly string[] => channelKinds[type].secrets;

/** A configuration without the fields that its kind of channel does not know. */
export const knownFields = (type: ChannelType, config: ChannelConfig): ChannelConfig =>
  Object.fromEntries(Object.entries(config).filter(([field]) => Object.hasOwn(channelKinds[type].fields, field)));

/** What was sent, with the stored secret wherever its mask came back. A mask of anything else is no secret at all. */
export const unmasked = (sent: ChannelConfig, stored: ChannelConfig | undefined): ChannelConfig =>
  Object.fromEntries(
    Object.entries(sent).map(([field, value]) => {
      const kept = SECRETS.has(field) ? stored?.[field] : undefined;
      if (kept !== undefined && value === mask(kept)) return [field, kept];
      return [field, SECRETS.has(field) && value.startsWith(MASK) ? "" : value.trim()];
    }),
  );

/** A configuration that was sent as an object, or as the JSON text of one. */
export const parseConfig = (sent: ChannelBody["config"]): ChannelConfig => {
  if (typeof sent !== "string") return sent;
  try {
    const value: unknown = JSON.parse(sent);
    if (typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string")) {
      return value as ChannelConfig;
    }
  } catch {}
  throw validation([{ path: "config", message: "config: expected an object of names and texts" }]);
};

const SENTENCES: Record<string, string> = {
  name_required: "A name is required",
  bot_token_required: "The bot token is required",
  bot_token_invalid: "The bot token's format is invalid",
  chat_id_required: "The chat id is required",
  api_key_required: "The API key is required",
  api_key_invalid: "The API key's format is invalid",
  sender_required: "The sender is required",
  sender_invalid: "The sender's format is invalid: expected an address, or Name <address>",
  recipient_required: "A recipient is required",
  recipient_invalid: "A recipient is not an e-mail address",
  too_long: "This is too long",
};

/** What is wrong with a channel, by the names of its fields. Without a name only its configuration is looked at. */
export const problemsOf = (
  type: ChannelType,
  config: ChannelConfig,
  name?: string,
): (FieldError & { code: string })[] => {
  const { fields, problems: problemsIn } = channelKinds[type];
  const long = Object.keys(fields).filter((field) => (config[field] ?? "").length > (fields[field] ?? 0));
  const problems = {
    ...(name?.trim() === "" && { name: "name_required" }),
    ...problemsIn(config),
    ...Object.fromEntries(long.map((field) => [field, "too_long"])),
  };
  return Object.entries(problems).map(([path, code]) => ({ path, message: SENTENCES[code] ?? code, code }));
};

/** @throws {AppError} validation, with an entry for each field that is wrong */
export const checkConfig = (
  type: string,
  config: ChannelConfig,
  name?: string,
): { type: ChannelType; config: ChannelConfig } => {
  if (!Object.hasOwn(channelKinds, type))
    throw validation([{ path: "type", message: "type: this kind of channel cannot be used yet" }]);
  const errors = problemsOf(type as ChannelType, config, name);
  if (errors.length > 0) throw validation(errors);
  return { type: type as ChannelType, config: knownFields(type as ChannelType, config) };
};
