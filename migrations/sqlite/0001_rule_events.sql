CREATE TABLE `new_notification_rules` (
	`user_id` integer NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`override_global` integer NOT NULL,
	`events` text NOT NULL,
	`cpu_threshold` real NOT NULL,
	`memory_threshold` real NOT NULL,
	`disk_threshold` real NOT NULL,
	`channels` text NOT NULL,
	`policy_id` integer,
	`critical` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`policy_id`) REFERENCES `alert_policies`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
INSERT INTO `new_notification_rules` (`user_id`, `target_type`, `target_id`, `enabled`, `override_global`, `events`, `cpu_threshold`, `memory_threshold`, `disk_threshold`, `channels`, `policy_id`, `critical`)
SELECT `user_id`, `target_type`, `target_id`, `enabled`, `override_global`,
	'[' || trim(iif(`on_down`, '"down",', '') ||
		iif(`on_recovery`, '"recovery",', '') ||
		iif(`on_slow`, '"slow",', '') ||
		iif(`on_certificate`, '"certificate",', '') ||
		iif(`on_offline`, '"offline",', '') ||
		iif(`on_cpu_threshold`, '"cpu",', '') ||
		iif(`on_memory_threshold`, '"memory",', '') ||
		iif(`on_disk_threshold`, '"disk",', '') ||
		iif(`on_problem`, '"problem",', '') ||
		iif(`on_plan`, '"plan",', ''), ',') || ']',
	`cpu_threshold`, `memory_threshold`, `disk_threshold`, `channels`, `policy_id`, `critical` FROM `notification_rules`;
--> statement-breakpoint
DROP TABLE `notification_rules`;
--> statement-breakpoint
ALTER TABLE `new_notification_rules` RENAME TO `notification_rules`;
--> statement-breakpoint
CREATE INDEX `notification_rules_target_index` ON `notification_rules` (`target_type`,`target_id`);
