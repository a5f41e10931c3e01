import { Type } from "@sinclair/typebox";
import {
  boolean,
  checkErrorCode,
  errorDetail,
  integer,
  list,
  nullable,
  number,
  object,
  ok,
  oneOf,
  record,
  text,
  time,
} from "../../server/answers";
import { QUOTA_NAMES } from "../../shared/limits";
import { DELIVERY_ERROR_CODES } from "../../shared/notifications";
import { ATTENTION } from "./attention";

const share = (span: string) =>
  nullable(
    number(`Percent of the last ${span}, at most since the first account, in which Wakeful could watch.`, 99.98),
  );

const perSecond = (what: string, example: number) => number(`${what} of this instance a second.`, example);

/** The state of the hub for administrators; null for unknown values. */
export const System = ok({
  now: time("The hub's time."),
  version: text("The version of the program.", "1.2.3"),
  started_at: time("When this instance started.", "2026-01-02T08:00:00.000Z"),
  status: oneOf("As GET /health answers it.", ["ok", "unavailable"]),
  instance: text("The instance that answered.", "5f0c2f1e"),
  instances: list(
    object({
      id: text("The instance.", "5f0c2f1e"),
      seen_at: time("Its last heartbeat."),
      blind_since: nullable(
        time("When it lost its view of all targets, such as its network; null while it watches."),
        null,
      ),
    }),
    "The instances that run on this database.",
  ),
  attention: list(
    object({
      code: oneOf("What may need attention, as a code that never changes.", ATTENTION, "database_fills_disk"),
      detail: record(Type.Union([Type.String(), Type.Number()], { examples: [12] }), "Its figures, by name.", "days"),
    }),
    "What may need attention, the most urgent first; empty when all is well.",
  ),
  database: object({
    engine: oneOf("The database engine.", ["sqlite", "postgres"]),
    size: integer("Its size in bytes.", 84_000_000),
    growth: nullable(integer("Bytes a day in the last week; null before a day has passed.", 1_200_000)),
    disk: nullable(
      object({
        free: integer("Bytes that are free.", 21_000_000_000),
        total: integer("Its size in bytes.", 64_000_000_000),
      }),
    ),
  }),
  work: nullable(
    object({
      checks: perSecond("Checks", 8.3),
      reports: perSecond("Agent reports", 0.8),
      lateness: nullable(number("Mean seconds between the due time and the start of scheduled checks.", 0.02)),
    }),
  ),
  watched: object({ "24h": share("24 hours"), "30d": share("30 days") }),
  quotas: list(
    object({
      name: oneOf("The quota.", QUOTA_NAMES),
      limit: integer("The limit for each user.", 200),
      most: integer("What the user with the most has; administrators have no quotas.", 120),
      username: nullable(text("The username; null while no user has any.", "bob")),
      full: integer("How many users are at the limit.", 0),
    }),
    "The quotas and their use, of the first 1,000 users.",
  ),
  mail: object({
    server: nullable(
      text("The mail server for mails of Wakeful itself; null without SMTP_URL.", "smtp.example.com:587"),
    ),
    waiting: integer("Mails of Wakeful itself that wait to be sent.", 0),
    channels: integer("Enabled channels that send mail.", 1),
    error_code: nullable(
      oneOf("Why a mail server refuses messages, as a code that never changes.", DELIVERY_ERROR_CODES),
      null,
    ),
    error_detail: nullable(errorDetail(401, "status"), null),
  }),
  last_backup: nullable(time("The last `wakeful backup`; null if there was none, or another tool makes backups.")),
  next_backup: nullable(time("When the next backup is made into BACKUP_DIR; null if that is not set.")),
  backup_error: checkErrorCode("Why nightly backups fail now.", null),
  backup_failing_since: nullable(time("Since when they fail."), null),
  settings: list(
    object({
      name: text("The variable.", "MIN_INTERVAL"),
      value: nullable(text("Its value, without passwords in addresses; null for a secret.", "60")),
      secret: boolean("Whether it is a secret.", false),
      set: boolean("Whether it has a value.", true),
    }),
  ),
});
