/** The objects of an Uptime Kuma database or backup, as both have them: 1.x and 2.x differ in their columns only. */
import { type ForeignDatabase, unreadable } from "../sqlite";
import { type Fields, jsonIn, numberIn, recordOf, textOf } from "../text";

/** Columns of objects that are read. A column that a version does not have is undefined. */
export const OBJECT_TABLES = {
  monitor: [
    ...["id", "name", "active", "interval", "url", "type", "hostname", "port", "created_date", "keyword", "maxretries"],
    ...[
      "ignore_tls",
      "upside_down",
      "maxredirects",
      "accepted_statuscodes_json",
      "dns_resolve_type",
      "dns_resolve_server",
    ],
    ...[
      "retry_interval",
      "push_token",
      "method",
      "body",
      "headers",
      "basic_auth_user",
      "basic_auth_pass",
      "docker_container",
    ],
    ...["proxy_id", "expiry_notification", "mqtt_topic", "database_connection_string", "database_query", "auth_method"],
    ...["grpc_url", "grpc_enable_tls", "grpc_service_name", "radius_password", "resend_interval", "packet_size"],
    ...["http_body_encoding", "description", "parent", "invert_keyword", "json_path", "expected_value", "timeout"],
    ...["bearer_token", "conditions", "ip_family", "json_path_operator", "ping_count", "smtp_security", "weight"],
    ...["ws_subprotocol", "domain_expiry_notification", "cache_bust", "expected_tls_alert"],
  ],
  notification: ["id", "name", "active", "config"],
  monitor_notification: ["monitor_id", "notification_id"],
  tag: ["id", "name", "color"],
  monitor_tag: ["monitor_id", "tag_id", "value"],
  status_page: ["id", "slug", "title", "description", "icon", "theme", "published", "footer_text", "custom_css"],
  group: ["id", "name", "public", "weight", "status_page_id"],
  monitor_group: ["monitor_id", "group_id", "weight"],
  incident: ["id", "title", "content", "style", "created_date", "last_updated_date", "pin", "active", "status_page_id"],
  maintenance: [
    ...["id", "title", "active", "strategy", "start_date", "end_date", "start_time", "end_time", "weekdays"],
    ...["days_of_month", "interval_day", "cron", "timezone", "duration"],
  ],
  monitor_maintenance: ["monitor_id", "maintenance_id"],
  proxy: ["id", "protocol", "host"],
  docker_host: ["id", "name"],
  api_key: ["id", "name"],
  setting: ["key", "value"],
} as const;
type Table = keyof typeof OBJECT_TABLES;

export type KumaRows = { [Name in Table]: Fields[] } & { version: string };

/** Newer than any 1.x that has no migrations of its own. */
const versionOf = (migrations: number, settings: ReadonlyMap<string, string>): string =>
  migrations > 0 ? "2" : settings.has("database_version") || settings.has("databasePatchedFiles") ? "1" : "";

export const readRows = (database: ForeignDatabase): KumaRows => {
  if (database.columnsOf("monitor").length === 0) throw unreadable("it has no table of monitors");
  const rows = Object.fromEntries(
    Object.entries(OBJECT_TABLES).map(([table, columns]) => [table, database.rows(table, columns)]),
  ) as { [Name in Table]: Fields[] };
  const settings = new Map(rows.setting.map((row) => [textOf(row, "key"), textOf(row, "value")]));
  return { ...rows, version: versionOf(database.columnsOf("knex_migrations").length, settings) };
};

/** The names of fields in a backup that a database has in snake case. */
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const RENAMED: Record<string, string> = { accepted_statuscodes: "accepted_statuscodes_json" };

const rowOf = (sent: unknown): Fields =>
  Object.fromEntries(
    Object.entries(recordOf(sent)).map(([name, value]) => [RENAMED[snake(name)] ?? snake(name), value]),
  );

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a backup of 1.x, where monitors hold their tags and channels. */
export const rowsOfBackup = (backup: Fields): KumaRows => {
  const monitor = listOf(backup.monitorList).map(rowOf);
  const tags = new Map<number, Fields>();
  const monitorTags = monitor.flatMap((row) =>
    listOf(row.tags).map((sent) => {
      const tag = rowOf(sent);
      const id = numberIn(tag, "tag_id") ?? numberIn(tag, "id") ?? 0;
      tags.set(id, { id, name: tag.name, color: tag.color });
      return { monitor_id: row.id, tag_id: id, value: tag.value };
    }),
  );
  const monitorNotifications = monitor.flatMap((row) =>
    Object.entries(recordOf(jsonIn(row, "notification_i_d_list"))).flatMap(([id, isChosen]) =>
      isChosen ? [{ monitor_id: row.id, notification_id: Number(id) }] : [],
    ),
  );
  return {
    monitor,
    notification: listOf(backup.notificationList).map(recordOf),
    monitor_notification: monitorNotifications,
    tag: [...tags.values()],
    monitor_tag: monitorTags,
    proxy: listOf(backup.proxyList).map(recordOf),
    status_page: [],
    group: [],
    monitor_group: [],
    incident: [],
    maintenance: [],
    monitor_maintenance: [],
    docker_host: [],
    api_key: [],
    setting: [],
    version: textOf(backup, "version").slice(0, 40),
  };
};
