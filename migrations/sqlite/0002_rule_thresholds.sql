CREATE TABLE `__new_thresholds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`scope` text NOT NULL,
	`tag_id` integer,
	`agent_id` integer,
	`metric` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`threshold` real NOT NULL,
	`clear` real NOT NULL,
	`minutes` integer,
	`enabled` integer DEFAULT true,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_thresholds`("id", "user_id", "scope", "tag_id", "agent_id", "metric", "subject", "threshold", "clear", "minutes") SELECT "id", "user_id", "scope", "tag_id", "agent_id", "metric", "subject", "threshold", "clear", "minutes" FROM `thresholds`;--> statement-breakpoint
DROP TABLE `thresholds`;--> statement-breakpoint
ALTER TABLE `__new_thresholds` RENAME TO `thresholds`;--> statement-breakpoint
CREATE INDEX `thresholds_user_id_agent_id_index` ON `thresholds` (`user_id`,`agent_id`);--> statement-breakpoint
CREATE INDEX `thresholds_agent_id_index` ON `thresholds` (`agent_id`);--> statement-breakpoint
INSERT INTO `thresholds` (`user_id`, `scope`, `agent_id`, `metric`, `threshold`, `clear`, `enabled`)
SELECT `user_id`, case when `target_id` = 0 then 'all' else 'agent' end, nullif(`target_id`, 0), 'cpu', `cpu_threshold`, max(0, `cpu_threshold` - 5),
	case when `target_id` = 0 or `override_global` then `enabled` and `events` like '%"cpu"%' end
FROM `notification_rules` WHERE `target_type` = 'agent' AND (`target_id` = 0 OR `target_id` IN (SELECT `id` FROM `agents`));
--> statement-breakpoint
INSERT INTO `thresholds` (`user_id`, `scope`, `agent_id`, `metric`, `threshold`, `clear`, `enabled`)
SELECT `user_id`, case when `target_id` = 0 then 'all' else 'agent' end, nullif(`target_id`, 0), 'memory', `memory_threshold`, max(0, `memory_threshold` - 5),
	case when `target_id` = 0 or `override_global` then `enabled` and `events` like '%"memory"%' end
FROM `notification_rules` WHERE `target_type` = 'agent' AND (`target_id` = 0 OR `target_id` IN (SELECT `id` FROM `agents`));
--> statement-breakpoint
INSERT INTO `thresholds` (`user_id`, `scope`, `agent_id`, `metric`, `threshold`, `clear`, `enabled`)
SELECT `user_id`, case when `target_id` = 0 then 'all' else 'agent' end, nullif(`target_id`, 0), 'disk', `disk_threshold`, max(0, `disk_threshold` - 5),
	case when `target_id` = 0 or `override_global` then `enabled` and `events` like '%"disk"%' end
FROM `notification_rules` WHERE `target_type` = 'agent' AND (`target_id` = 0 OR `target_id` IN (SELECT `id` FROM `agents`));
--> statement-breakpoint
UPDATE `agent_states` SET `alarms` = json_insert(coalesce(`alarms`, '[]'), '$[#]', json_object('metric', 'cpu', 'subject', '', 'alerting', json(iif((`levels` >> 0 & 3) >= 2, 'true', 'false')), 'since', iif((`levels` >> 0 & 3) = 2, null, coalesce(`sampled_at`, 0)), 'ofRule', json('true'))) WHERE (`levels` >> 0 & 3) > 0;
--> statement-breakpoint
UPDATE `agent_states` SET `alarms` = json_insert(coalesce(`alarms`, '[]'), '$[#]', json_object('metric', 'memory', 'subject', '', 'alerting', json(iif((`levels` >> 2 & 3) >= 2, 'true', 'false')), 'since', iif((`levels` >> 2 & 3) = 2, null, coalesce(`sampled_at`, 0)), 'ofRule', json('true'))) WHERE (`levels` >> 2 & 3) > 0;
--> statement-breakpoint
UPDATE `agent_states` SET `alarms` = json_insert(coalesce(`alarms`, '[]'), '$[#]', json_object('metric', 'disk', 'subject', '', 'alerting', json(iif((`levels` >> 4 & 3) >= 2, 'true', 'false')), 'since', iif((`levels` >> 4 & 3) = 2, null, coalesce(`sampled_at`, 0)), 'ofRule', json('true'))) WHERE (`levels` >> 4 & 3) > 0;
--> statement-breakpoint
UPDATE `agent_states` SET `alarms` = json_insert(`alarms`, '$[#-1].mount', (SELECT `mount` FROM `events` WHERE `target_type` = 'agent' AND `target_id` = `agent_states`.`agent_id` AND `kind` = 'disk_high' AND `subject` = '' AND NOT `drill` ORDER BY `at` DESC, `id` DESC LIMIT 1))
WHERE (`levels` >> 4 & 3) >= 2 AND (SELECT `mount` FROM `events` WHERE `target_type` = 'agent' AND `target_id` = `agent_states`.`agent_id` AND `kind` = 'disk_high' AND `subject` = '' AND NOT `drill` ORDER BY `at` DESC, `id` DESC LIMIT 1) IS NOT NULL;
--> statement-breakpoint
ALTER TABLE `agent_states` DROP COLUMN `levels`;--> statement-breakpoint
ALTER TABLE `notification_rules` DROP COLUMN `cpu_threshold`;--> statement-breakpoint
ALTER TABLE `notification_rules` DROP COLUMN `memory_threshold`;--> statement-breakpoint
ALTER TABLE `notification_rules` DROP COLUMN `disk_threshold`;
