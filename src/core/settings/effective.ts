import { maskUrl } from "../../shared/mask";
import type { Config } from "../config";
import { SECRET_SETTINGS } from "./environment";
import { SETTINGS } from "./list";

/** A setting in effect. Secrets have no value. */
type EffectiveSetting = { name: string; value: string | null; isSecret: boolean; isSet: boolean };

/** They take effect as HOST and PORT. */
const ALIASES = ["WAKEFUL_HOST", "WAKEFUL_PORT"];
const secrets: readonly string[] = SECRET_SETTINGS;

const camelCase = (name: string): string =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The values of a configuration by the names of their settings in camel case. */
const valuesOf = (config: Config): Record<string, unknown> => {
  const { admin, telegramDefault, mail, connectivityTarget, quotas, retention, links, oidc, authHeader } = config;
  const prefixed = (prefix: string, values: object) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [prefix + name.charAt(0).toUpperCase() + name.slice(1), value]),
    );
  return {
    ...config,
    ...prefixed("quota", quotas),
    ...prefixed("retention", retention),
    ...prefixed("link", links),
    ...prefixed("oidc", { ...oidc, autoCreate: Number(oidc.autoCreate), linkEmail: Number(oidc.linkEmail) }),
    ...prefixed("authHeader", authHeader),
    authHeader: authHeader.name,
    trustProxy: Number(config.trustProxy),
    trustedProxies: config.trustedProxies.join(", "),
    adminUsername: admin?.username,
    adminPassword: admin?.password,
    telegramBotToken: telegramDefault?.botToken,
    telegramChatId: telegramDefault?.chatId,
    smtpUrl: mail?.host,
    mailFrom: mail?.from,
    connectivityTarget: connectivityTarget && `${connectivityTarget.host}:${connectivityTarget.port}`,
    providerOrigins: [...config.providerOrigins].map((pair) => pair.join("=")).join(", "),
  };
};

/** Every setting with the value in effect, in the order of the list. Secrets have no value, and addresses no passwords. */
export const effectiveSettings = (config: Config): EffectiveSetting[] => {
  const values = valuesOf(config);
  return SETTINGS.filter(({ name }) => !ALIASES.includes(name)).map(({ name }) => {
    const value = String(values[camelCase(name)] ?? "");
    const isSecret = secrets.includes(name);
    return { name, isSecret, isSet: value !== "", value: isSecret ? null : value.replace(/https?:\/\/\S+/g, maskUrl) };
  });
};
