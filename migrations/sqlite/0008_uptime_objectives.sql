CREATE TABLE `objectives` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`monitor_id` integer,
	`tag_id` integer,
	`target` real NOT NULL,
	`period` text NOT NULL,
	`alerts` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `objectives_user_id_index` ON `objectives` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `objectives_monitor_id_index` ON `objectives` (`monitor_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `objectives_tag_id_index` ON `objectives` (`tag_id`);