CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`problem` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channels_user_id_index` ON `channels` (`user_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`channel_name` text NOT NULL,
	`channel_type` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`claimed_by` text,
	`error` text,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event_id_channel_id_unique` ON `deliveries` (`event_id`,`channel_id`);--> statement-breakpoint
CREATE INDEX `deliveries_next_attempt_at_index` ON `deliveries` (`next_attempt_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`target_name` text NOT NULL,
	`at` integer NOT NULL,
	`since` integer,
	`error` text,
	`figure` real,
	`threshold` real,
	`mount` text,
	`planned_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_subject_unique` ON `events` (`target_type`,`target_id`,`kind`,`at`);--> statement-breakpoint
CREATE INDEX `events_user_id_index` ON `events` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `events_planned_at_index` ON `events` (`planned_at`);--> statement-breakpoint
CREATE TABLE `notification_settings` (
	`user_id` integer NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`override_global` integer NOT NULL,
	`on_down` integer NOT NULL,
	`on_recovery` integer NOT NULL,
	`on_offline` integer NOT NULL,
	`on_cpu_threshold` integer NOT NULL,
	`cpu_threshold` real NOT NULL,
	`on_memory_threshold` integer NOT NULL,
	`memory_threshold` real NOT NULL,
	`on_disk_threshold` integer NOT NULL,
	`disk_threshold` real NOT NULL,
	`channels` text NOT NULL,
	PRIMARY KEY(`user_id`, `target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notification_settings_target_index` ON `notification_settings` (`target_type`,`target_id`);--> statement-breakpoint
ALTER TABLE `agent_states` ADD `levels` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `changed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `language` text DEFAULT 'zh-CN' NOT NULL;