CREATE TABLE `ping_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`key` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ping_keys_key_unique` ON `ping_keys` (`key`);--> statement-breakpoint
CREATE INDEX `ping_keys_team_id_index` ON `ping_keys` (`team_id`);--> statement-breakpoint
CREATE INDEX `ping_keys_user_id_index` ON `ping_keys` (`user_id`);--> statement-breakpoint
ALTER TABLE `heartbeats` ADD `slug` text;--> statement-breakpoint
CREATE INDEX `heartbeats_slug_index` ON `heartbeats` (`slug`);