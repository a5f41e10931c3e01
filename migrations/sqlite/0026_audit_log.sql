ALTER TABLE `security_log` ADD `team_id` integer REFERENCES teams(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `security_log` ADD `key` text;--> statement-breakpoint
ALTER TABLE `security_log` ADD `action` text;--> statement-breakpoint
ALTER TABLE `security_log` ADD `object_type` text;--> statement-breakpoint
ALTER TABLE `security_log` ADD `object_id` integer;--> statement-breakpoint
ALTER TABLE `security_log` ADD `object_name` text;--> statement-breakpoint
ALTER TABLE `security_log` ADD `fields` text;--> statement-breakpoint
ALTER TABLE `security_log` ADD `batch` integer;--> statement-breakpoint
ALTER TABLE `security_log` ADD `objects` integer;--> statement-breakpoint
CREATE INDEX `security_log_team_id_index` ON `security_log` (`team_id`,`at`);--> statement-breakpoint
CREATE INDEX `security_log_object_index` ON `security_log` (`object_type`,`object_id`,`at`);--> statement-breakpoint
CREATE INDEX `security_log_username_index` ON `security_log` (`username`,`at`);--> statement-breakpoint
CREATE INDEX `security_log_events_index` ON `security_log` (`id`) WHERE kind <> 'change';--> statement-breakpoint
UPDATE `security_log` SET
  action = CASE WHEN kind LIKE '%created' THEN 'created' ELSE 'deleted' END,
  object_type = CASE WHEN kind LIKE 'channel%' THEN 'channel' WHEN kind LIKE 'agent%' THEN 'agent' WHEN kind LIKE 'key%' THEN 'key'
    WHEN kind LIKE 'user%' THEN 'user' ELSE 'enrollment_token' END,
  object_name = detail, fields = '{}', objects = 1,
  team_id = CASE WHEN kind LIKE 'user%' THEN NULL ELSE (SELECT users.team_id FROM users WHERE users.id = security_log.user_id) END
WHERE kind IN ('channel_created', 'channel_deleted', 'agent_deleted', 'key_created', 'key_deleted', 'user_created', 'user_deleted',
  'enrollment_token_created', 'enrollment_token_deleted');--> statement-breakpoint
DELETE FROM `thresholds` WHERE `deleted_at` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `thresholds` DROP COLUMN `updated_at`;--> statement-breakpoint
ALTER TABLE `thresholds` DROP COLUMN `deleted_at`;