/** The tables of xugou, in a database or in the text of an export. */
import { readText } from "../read-text";
import type { Upload } from "../source";
import { readSqlText } from "../sql-text";
import { isSqlite } from "../sqlite";
import { readTables, type Tables } from "../tables";

const COLUMNS = {
  users: ["id", "created_at"],
  monitors: [
    ...["id", "name", "url", "method", "interval", "timeout", "expected_status", "headers", "body", "active"],
    "created_by",
  ],
  agents: ["id", "name", "hostname"],
  notification_channels: ["id", "name", "type", "config", "enabled"],
  notification_settings: ["user_id", "target_type", "target_id", "enabled", "on_down", "channels"],
  notification_templates: ["id", "name", "is_default", "created_at", "updated_at"],
  status_page_config: ["id", "title", "description", "logo_url", "custom_css"],
  status_page_monitors: ["config_id", "monitor_id"],
  status_page_agents: ["config_id", "agent_id"],
  monitor_daily_stats: [
    ...["monitor_id", "date", "up_checks", "down_checks"],
    ...["avg_response_time", "min_response_time", "max_response_time"],
  ],
} as const;
export type XugouRows = Tables<typeof COLUMNS>;

/** Rows of one table that are read at most: the days of 100 monitors in five years. */
const MAX_ROWS = 200_000;

/** @throws {AppError} import_unreadable */
export const readRows = async (upload: Upload): Promise<XugouRows> => {
  const start = new Uint8Array(await Bun.file(upload.file).slice(0, 16).arrayBuffer());
  return isSqlite(start) ? readTables(upload, COLUMNS, MAX_ROWS) : readSqlText(await readText(upload), COLUMNS);
};
