DROP INDEX `thresholds_team_id_index`;--> statement-breakpoint
DROP INDEX `thresholds_user_id_agent_id_index`;--> statement-breakpoint
CREATE INDEX `thresholds_user_id_index` ON `thresholds` (`user_id`);--> statement-breakpoint
CREATE INDEX `thresholds_team_id_agent_id_index` ON `thresholds` (`team_id`,`agent_id`);--> statement-breakpoint
DROP INDEX `events_team_id_index`;--> statement-breakpoint
DROP INDEX `events_user_id_index`;--> statement-breakpoint
CREATE INDEX `events_team_id_id_index` ON `events` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `events_user_id_index` ON `events` (`user_id`);--> statement-breakpoint
DROP INDEX `outages_team_id_index`;--> statement-breakpoint
DROP INDEX `outages_user_id_started_at_index`;--> statement-breakpoint
DROP INDEX `outages_open_user_id_index`;--> statement-breakpoint
DROP INDEX `outages_user_id_ended_at_index`;--> statement-breakpoint
CREATE INDEX `outages_team_id_started_at_index` ON `outages` (`team_id`,`started_at`,`ended_at`);--> statement-breakpoint
CREATE INDEX `outages_open_team_id_index` ON `outages` (`team_id`,`id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `outages_user_id_index` ON `outages` (`user_id`);--> statement-breakpoint
CREATE INDEX `outages_team_id_ended_at_index` ON `outages` (`team_id`,`ended_at`);--> statement-breakpoint
CREATE TABLE `__new_imports` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`source` text NOT NULL,
	`source_id` text NOT NULL,
	`external_id` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`digest` text NOT NULL,
	`imported_at` integer NOT NULL,
	`history_until` integer,
	PRIMARY KEY(`team_id`, `source`, `source_id`, `external_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_imports`("user_id", "team_id", "source", "source_id", "external_id", "target_type", "target_id", "digest", "imported_at", "history_until") SELECT "user_id", "team_id", "source", "source_id", "external_id", "target_type", "target_id", "digest", "imported_at", "history_until" FROM `imports`;--> statement-breakpoint
DROP TABLE `imports`;--> statement-breakpoint
ALTER TABLE `__new_imports` RENAME TO `imports`;--> statement-breakpoint
CREATE INDEX `imports_user_id_index` ON `imports` (`user_id`);--> statement-breakpoint
CREATE INDEX `imports_target_index` ON `imports` (`target_type`,`target_id`);--> statement-breakpoint
DROP INDEX `monitors_team_id_index`;--> statement-breakpoint
DROP INDEX `monitors_user_id_created_at_index`;--> statement-breakpoint
DROP INDEX `monitors_user_id_name_index`;--> statement-breakpoint
DROP INDEX `monitors_user_id_host_index`;--> statement-breakpoint
CREATE INDEX `monitors_user_id_index` ON `monitors` (`user_id`);--> statement-breakpoint
CREATE INDEX `monitors_team_id_created_at_index` ON `monitors` (`team_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `monitors_team_id_name_index` ON `monitors` (`team_id`,`name`);--> statement-breakpoint
CREATE INDEX `monitors_team_id_host_index` ON `monitors` (`team_id`,`host`);--> statement-breakpoint
CREATE TABLE `__new_notification_rules` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`override_global` integer NOT NULL,
	`events` text NOT NULL,
	`channels` text NOT NULL,
	`policy_id` integer,
	`critical` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`team_id`, `target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`policy_id`) REFERENCES `alert_policies`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
INSERT INTO `__new_notification_rules`("user_id", "team_id", "target_type", "target_id", "enabled", "override_global", "events", "channels", "policy_id", "critical") SELECT "user_id", "team_id", "target_type", "target_id", "enabled", "override_global", "events", "channels", "policy_id", "critical" FROM `notification_rules`;--> statement-breakpoint
DROP TABLE `notification_rules`;--> statement-breakpoint
ALTER TABLE `__new_notification_rules` RENAME TO `notification_rules`;--> statement-breakpoint
CREATE INDEX `notification_rules_user_id_index` ON `notification_rules` (`user_id`);--> statement-breakpoint
CREATE INDEX `notification_rules_target_index` ON `notification_rules` (`target_type`,`target_id`);--> statement-breakpoint
CREATE TABLE `__new_status_pages` (
	`team_id` integer PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`logo_url` text NOT NULL,
	`custom_css` text NOT NULL,
	`theme` text DEFAULT 'light' NOT NULL,
	`monitors` text NOT NULL,
	`agents` text NOT NULL,
	`groups` text NOT NULL,
	`show_hostname` integer DEFAULT true NOT NULL,
	`show_os` integer DEFAULT true NOT NULL,
	`show_version` integer DEFAULT true NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_status_pages`("team_id", "user_id", "slug", "title", "description", "logo_url", "custom_css", "theme", "monitors", "agents", "groups", "show_hostname", "show_os", "show_version", "updated_at") SELECT "team_id", "user_id", "slug", "title", "description", "logo_url", "custom_css", "theme", "monitors", "agents", "groups", "show_hostname", "show_os", "show_version", "updated_at" FROM `status_pages`;--> statement-breakpoint
DROP TABLE `status_pages`;--> statement-breakpoint
ALTER TABLE `__new_status_pages` RENAME TO `status_pages`;--> statement-breakpoint
CREATE UNIQUE INDEX `status_pages_slug_unique` ON `status_pages` (`slug`);--> statement-breakpoint
CREATE INDEX `status_pages_user_id_index` ON `status_pages` (`user_id`);--> statement-breakpoint
DROP INDEX `tags_team_id_index`;--> statement-breakpoint
DROP INDEX `tags_user_id_name_unique`;--> statement-breakpoint
CREATE UNIQUE INDEX `tags_team_id_name_unique` ON `tags` (`team_id`,`name`);--> statement-breakpoint
CREATE INDEX `tags_user_id_index` ON `tags` (`user_id`);
