CREATE TABLE `imports` (
	`user_id` integer NOT NULL,
	`source` text NOT NULL,
	`source_id` text NOT NULL,
	`external_id` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`digest` text NOT NULL,
	`imported_at` integer NOT NULL,
	`history_until` integer,
	PRIMARY KEY(`user_id`, `source`, `source_id`, `external_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_target_index` ON `imports` (`target_type`,`target_id`);