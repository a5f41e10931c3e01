CREATE TABLE `members` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`team_id`, `user_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `members_user_id_index` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`name` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
-- The personal team of each user has the user's id. No team has the id 0, so that the default refuses rows without a team.
INSERT INTO `teams` (`id`, `created_at`) SELECT `id`, `created_at` FROM `users`;--> statement-breakpoint
INSERT INTO `members` (`team_id`, `user_id`, `role`) SELECT `id`, `id`, 'owner' FROM `users`;--> statement-breakpoint
ALTER TABLE `users` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id);--> statement-breakpoint
UPDATE `users` SET `team_id` = `id`;--> statement-breakpoint
ALTER TABLE `agents` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `agents` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `enrollment_tokens` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `enrollment_tokens` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `thresholds` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `thresholds` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `events` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `events` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `flapping_targets` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `flapping_targets` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `outages` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `outages` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `imports` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `imports` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `monitors` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `monitors` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `objectives` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `objectives` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `alert_policies` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `alert_policies` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `channels` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `channels` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `dependencies` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `dependencies` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `message_templates` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `message_templates` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `mutes` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `mutes` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `notification_rules` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `notification_rules` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `report_links` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `report_links` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `report_schedules` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `report_schedules` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `status_pages` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `wall_keys` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `wall_keys` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `tags` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `tags` SET `team_id` = `user_id`;--> statement-breakpoint
ALTER TABLE `target_tags` ADD `team_id` integer DEFAULT 0 NOT NULL REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
UPDATE `target_tags` SET `team_id` = `user_id`;--> statement-breakpoint
CREATE INDEX `agents_team_id_index` ON `agents` (`team_id`);--> statement-breakpoint
CREATE INDEX `enrollment_tokens_team_id_index` ON `enrollment_tokens` (`team_id`);--> statement-breakpoint
CREATE INDEX `thresholds_team_id_index` ON `thresholds` (`team_id`);--> statement-breakpoint
CREATE INDEX `events_team_id_index` ON `events` (`team_id`);--> statement-breakpoint
CREATE INDEX `flapping_targets_team_id_index` ON `flapping_targets` (`team_id`);--> statement-breakpoint
CREATE INDEX `outages_team_id_index` ON `outages` (`team_id`);--> statement-breakpoint
CREATE INDEX `imports_team_id_index` ON `imports` (`team_id`);--> statement-breakpoint
CREATE INDEX `monitors_team_id_index` ON `monitors` (`team_id`);--> statement-breakpoint
CREATE INDEX `objectives_team_id_index` ON `objectives` (`team_id`);--> statement-breakpoint
CREATE INDEX `alert_policies_team_id_index` ON `alert_policies` (`team_id`);--> statement-breakpoint
CREATE INDEX `channels_team_id_index` ON `channels` (`team_id`);--> statement-breakpoint
CREATE INDEX `dependencies_team_id_index` ON `dependencies` (`team_id`);--> statement-breakpoint
CREATE INDEX `message_templates_team_id_index` ON `message_templates` (`team_id`);--> statement-breakpoint
CREATE INDEX `mutes_team_id_index` ON `mutes` (`team_id`);--> statement-breakpoint
CREATE INDEX `notification_rules_team_id_index` ON `notification_rules` (`team_id`);--> statement-breakpoint
CREATE INDEX `report_links_team_id_index` ON `report_links` (`team_id`);--> statement-breakpoint
CREATE INDEX `report_schedules_team_id_index` ON `report_schedules` (`team_id`);--> statement-breakpoint
CREATE INDEX `status_pages_team_id_index` ON `status_pages` (`team_id`);--> statement-breakpoint
CREATE INDEX `wall_keys_team_id_index` ON `wall_keys` (`team_id`);--> statement-breakpoint
CREATE INDEX `tags_team_id_index` ON `tags` (`team_id`);--> statement-breakpoint
CREATE INDEX `target_tags_team_id_index` ON `target_tags` (`team_id`);
