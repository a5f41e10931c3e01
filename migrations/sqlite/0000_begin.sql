CREATE TABLE `check_days` (
	`bucket` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`up` integer NOT NULL,
	`down` integer NOT NULL,
	`answered` integer NOT NULL,
	`total_time` real NOT NULL,
	`min_time` real,
	`max_time` real,
	PRIMARY KEY(`bucket`, `monitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `check_hours` (
	`bucket` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`up` integer NOT NULL,
	`down` integer NOT NULL,
	`answered` integer NOT NULL,
	`total_time` real NOT NULL,
	`min_time` real,
	`max_time` real,
	PRIMARY KEY(`bucket`, `monitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `checks` (
	`hour` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`up` integer NOT NULL,
	`response_time` real,
	`status_code` integer,
	`error` text,
	PRIMARY KEY(`hour`, `monitor_id`, `checked_at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_failures` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `monitor_states` (
	`monitor_id` integer PRIMARY KEY NOT NULL,
	`next_check_at` integer,
	`due_at` integer,
	`claimed_by` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`response_time` real,
	`last_checked_at` integer,
	`cert_expires_at` integer,
	`recent` text NOT NULL,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitor_states_next_check_at_index` ON `monitor_states` (`next_check_at`);--> statement-breakpoint
CREATE TABLE `monitors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`method` text NOT NULL,
	`interval` integer NOT NULL,
	`timeout` integer NOT NULL,
	`expected_status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`retries` integer NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitors_user_id_created_at_index` ON `monitors` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`token_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);