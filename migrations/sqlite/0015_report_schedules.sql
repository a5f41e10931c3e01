CREATE TABLE `report_schedules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`every` text NOT NULL,
	`hour` integer NOT NULL,
	`zone` text NOT NULL,
	`scope` text NOT NULL,
	`target` real,
	`channels` text NOT NULL,
	`share` integer NOT NULL,
	`details` integer NOT NULL,
	`next_at` integer NOT NULL,
	`sent_period` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `report_schedules_user_id_index` ON `report_schedules` (`user_id`);--> statement-breakpoint
CREATE INDEX `report_schedules_next_at_index` ON `report_schedules` (`next_at`);--> statement-breakpoint
ALTER TABLE `agents` ADD `agent_version` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `agent_updated_at` integer;--> statement-breakpoint
ALTER TABLE `thresholds` ADD `updated_at` integer;