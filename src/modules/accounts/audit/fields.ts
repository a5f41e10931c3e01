/** Which fields of objects the log of changes shows. */
import { toSnakeCase } from "drizzle-orm/casing";
import { THRESHOLD_METRICS } from "../../../shared/agents/thresholds";
import type { ChangedFields, ChangedObject, ChangedValue } from "../../../shared/audit/changes";
import { maskUrl } from "../../../shared/mask";
import { cleanText } from "../security-log";

/** The fields of an object by name, as columns or as in the API. */
export type Facts = Readonly<Record<string, unknown>>;

/** The alerts of a monitor or server, and the settings for all of them. */
const RULE = ["alerts", "own_rule", "events", "channels", "policy", "critical"];
const THRESHOLDS = [...THRESHOLD_METRICS.map((metric) => `threshold_${metric}`), "clear", "minutes"];
const OBJECTIVE = ["objective", "objective_period", "objective_alerts"];
const TARGET = ["name", "active", "tags", "parents", "muted_until", "until_recovery", "outage", "until", ...RULE];

/**
 * The fields whose values are shown. All others, such as header values, bodies, passwords and the texts of templates, are
 * logged without their values, also those that are added later. A kind of monitor names further ones.
 */
const SHOWN: Readonly<Record<ChangedObject, readonly string[]>> = {
  monitor: [...TARGET, ...OBJECTIVE, "kind", "interval", "timeout", "retries", "retry_pause", "quick_recheck"],
  agent: [...TARGET, ...THRESHOLDS],
  channel: ["name", "type", "enabled"],
  rule: [...RULE, ...THRESHOLDS],
  policy: ["name", "repeat_minutes", "repeat_max", "group_seconds"],
  threshold: ["scope", "tag", "server", "metric", "subject", "threshold", "clear", "minutes"],
  window: ["title", "all", "monitors", "agents", "tags", "counted", "ended_at"],
  template: ["channel", "event"],
  tag: ["name", "colour", ...OBJECTIVE],
  status_page: [
    ...["title", "slug", "description", "theme", "show_hostname", "show_os", "show_version"],
    ...["noindex", "components", "access", "title_public", "domains"],
  ],
  incident: ["title", "impact", "status", "started_at", "pages"],
  incident_text: ["name", "status", "title"],
  subscriber: [],
  report_schedule: ["every", "hour", "zone", "scope", "target", "channels", "share", "details"],
  report_link: ["name", "scope", "period", "zone", "target", "details"],
  wall: ["name", "tag"],
  key: ["name", "scope", "expires_at"],
  ping_key: [],
  enrollment_token: ["expires_at", "uses"],
  import: [
    ...["monitors", "agents", "channels", "policies", "notifications", "thresholds", "objectives", "dependencies"],
    ...["mutes", "templates", "report_schedules", "status_page", "pages", "ping_keys", "windows", "follows"],
    ...["incidents", "incident_texts"],
  ],
  team: ["name"],
  member: ["role", "channels"],
  user: ["username", "role", "language", "time_zone"],
  settings: ["registration"],
};

/** Columns that follow from others. */
const DERIVED = new Set([
  "id",
  "user_id",
  "team_id",
  "name_key",
  "username_key",
  "email_key",
  "created_at",
  "updated_at",
  "access_version",
]);

/** Characters of a value at most. */
const LENGTH = 200;

/** An address without its user information and the values of its query. */
const withoutSecrets = (text: string): string => (text.includes("://") ? maskUrl(text) : text);

/** A scalar or a list of scalars as it is shown; undefined for other values. */
const shownValue = (value: unknown): ChangedValue | undefined => {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return cleanText(withoutSecrets(value), LENGTH);
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (!Array.isArray(value) || value.some((item) => typeof item === "object")) return undefined;
  return cleanText(value.map((item) => withoutSecrets(String(item))).join(", "), LENGTH);
};

const byName = (facts: Facts): Facts =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [toSnakeCase(name), value]));

/**
 * The fields that differ. `further` names fields of the object's kind whose values are shown, too. A value that differs only
 * in what is masked is not shown.
 */
export const changedFields = (
  type: ChangedObject,
  { before = {}, after = {}, further = [] }: { before?: Facts; after?: Facts; further?: readonly string[] },
): ChangedFields => {
  const [from, to] = [byName(before), byName(after)];
  const isShown = new Set([...SHOWN[type], ...further]);
  const fields: Record<string, ChangedFields[string]> = {};
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (DERIVED.has(name) || Bun.deepEquals(from[name] ?? null, to[name] ?? null)) continue;
    const [one, other] = isShown.has(name) ? [shownValue(from[name]), shownValue(to[name])] : [];
    fields[name] = one === undefined || other === undefined || one === other ? null : [one, other];
  }
  return fields;
};
