/** Gatus: its configuration file. */
import type { ChannelConfig } from "../../../../shared/channel-fields";
import { readYaml, startText } from "../read-text";
import type { Item, ItemRule, Source } from "../source";
import { boundedItems, clean, type Fields, note, recordOf, textOf } from "../text";
import { endpointItem, externalItem } from "./endpoints";
import { maintenanceItems } from "./maintenance";

const NAME = "gatus";
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value : []).map(recordOf);

/** The type of the channel of each provider of alerts, with the provider's name of each field. */
const PROVIDERS: Record<string, readonly [type: string, names: Record<string, string>]> = {
  discord: ["discord", { url: "webhook-url" }],
  slack: ["slack", { url: "webhook-url" }],
  mattermost: ["mattermost", { url: "webhook-url" }],
  teams: ["teams", { url: "webhook-url" }],
  "teams-workflows": ["teams", { url: "webhook-url" }],
  googlechat: ["googlechat", { url: "webhook-url" }],
  telegram: ["telegram", { botToken: "token", chatId: "id" }],
  gotify: ["gotify", { server: "server-url", token: "token" }],
  pushover: ["pushover", { token: "application-token", user: "user-key" }],
  pagerduty: ["pagerduty", { routingKey: "integration-key" }],
  matrix: ["matrix", { server: "server-url", accessToken: "access-token", room: "internal-room-id" }],
  ntfy: ["ntfy", { server: "url", topic: "topic", token: "token" }],
  custom: ["webhook", { url: "url" }],
};

const configOf = (type: string, sent: Fields): ChannelConfig | null => {
  if (type === "email")
    return {
      host: textOf(sent, "host"),
      port: textOf(sent, "port"),
      security: textOf(sent, "port") === "465" ? "tls" : "starttls",
      user: textOf(sent, "username") || textOf(sent, "from"),
      password: textOf(sent, "password"),
      from: textOf(sent, "from"),
      to: textOf(sent, "to"),
    };
  const [, names] = PROVIDERS[type] ?? [];
  if (!names) return null;
  const config = Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, textOf(sent, theirs)]));
  return type === "ntfy" && config.server === "" ? { ...config, server: "https://ntfy.sh" } : config;
};

const channelItems = (alerting: Fields): Item[] =>
  Object.entries(alerting).map(([kind, sent], index): Item => {
    const fields = recordOf(sent);
    const item = {
      part: "channels" as const,
      externalId: `alerting:${kind}`,
      name: clean(kind, 100),
      kind: clean(kind, 50),
    };
    const config = Object.hasOwn(PROVIDERS, kind) || kind === "email" ? configOf(kind, fields) : null;
    if (!config) return { ...item, content: null, notes: [note("provider_unsupported", kind)] };
    const type = kind === "email" ? "smtp" : (PROVIDERS[kind]?.[0] ?? kind);
    const filled = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ""));
    const variable = /\$\{?\w+\}?/.exec(Object.values(filled).join("\n"))?.[0];
    return {
      ...item,
      content: { id: index + 1, name: item.name, type, enabled: variable === undefined, config: filled },
      notes: [
        ...(variable === undefined ? [] : [note("secret_missing", variable)]),
        ...(fields.overrides === undefined ? [] : [note("field_left_out", "overrides")]),
        ...(kind === "custom" ? [note("payload_differs")] : []),
      ],
    };
  });

/** Parts of the configuration without a counterpart here. */
const otherItems = (document: Fields): Item[] =>
  [
    ...listOf(document.suites).map((suite) => ["suite", clean(suite.name, 200), "object_unsupported"] as const),
    ...listOf(document.announcements).map(
      (one) => ["announcement", clean(one.message, 200), "object_unsupported"] as const,
    ),
  ].map(([kind, name, code], index) => ({
    ...{ part: "other" as const, externalId: `${kind}:${index}`, name: name || kind, kind, content: null },
    notes: [note(code, kind)],
  }));

export const gatus: Source = {
  name: NAME,
  recognise: (_upload, start) => /^(external-)?endpoints:\s*($|#|\[)/m.test(startText(start)),
  read: async (upload, { config }) => {
    const document = recordOf(await readYaml(upload));
    const channels = channelItems(recordOf(document.alerting));
    const idOf = new Map(
      channels.flatMap(({ kind, content }) => (content?.id === undefined ? [] : [[kind, content.id]])),
    );
    const endpoints = listOf(document.endpoints);
    const monitors = [
      ...endpoints.map((endpoint, index) => endpointItem(endpoint, index + 1, config)),
      ...listOf(document["external-endpoints"]).map((one, index) => externalItem(one, endpoints.length + index + 1)),
    ];
    const rules: Record<number, ItemRule> = {};
    for (const [index, endpoint] of [...endpoints, ...listOf(document["external-endpoints"])].entries()) {
      const own = listOf(endpoint.alerts).filter(({ enabled }) => enabled !== false);
      rules[index + 1] = {
        channels: [...new Set(own.flatMap((alert) => idOf.get(textOf(alert, "type")) ?? []))],
        policy: null,
      };
    }
    const windows = maintenanceItems(document, endpoints, monitors);
    const items = [...channels, ...monitors, ...windows, ...otherItems(document)];
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules, history: null };
  },
};
