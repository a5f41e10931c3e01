CREATE TABLE `deleted_agents` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_agents_deleted_at_index` ON `deleted_agents` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `enrollment_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`machine_hash` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollment_tokens_hash_unique` ON `enrollment_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `enrollment_tokens_user_id_index` ON `enrollment_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `security_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`username` text NOT NULL,
	`address` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `security_log_at_index` ON `security_log` (`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user_id_index` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at_index` ON `sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `show_hostname` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `show_os` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `show_version` integer DEFAULT false NOT NULL;