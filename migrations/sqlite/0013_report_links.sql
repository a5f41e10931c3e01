CREATE TABLE `report_links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`period` text,
	`from_at` integer,
	`to_at` integer,
	`zone` text NOT NULL,
	`target` real,
	`details` integer NOT NULL,
	`created_at` integer NOT NULL,
	`opened_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_links_hash_unique` ON `report_links` (`hash`);--> statement-breakpoint
CREATE INDEX `report_links_user_id_index` ON `report_links` (`user_id`);