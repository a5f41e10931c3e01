CREATE TABLE `maintenance_holds` (
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`held_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `maintenance_holds_team_id_index` ON `maintenance_holds` (`team_id`);--> statement-breakpoint
CREATE INDEX `maintenance_holds_user_id_index` ON `maintenance_holds` (`user_id`);--> statement-breakpoint
CREATE INDEX `maintenance_holds_ends_at_index` ON `maintenance_holds` (`ends_at`);--> statement-breakpoint
CREATE TABLE `maintenance_windows` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`title` text NOT NULL,
	`targets` text NOT NULL,
	`schedule` text NOT NULL,
	`counted` integer NOT NULL,
	`valid_from` integer NOT NULL,
	`over_at` integer,
	`ends` text NOT NULL,
	`former_of` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `maintenance_windows_team_id_over_at_index` ON `maintenance_windows` (`team_id`,`over_at`);--> statement-breakpoint
CREATE INDEX `maintenance_windows_user_id_index` ON `maintenance_windows` (`user_id`);--> statement-breakpoint
CREATE INDEX `maintenance_windows_over_at_index` ON `maintenance_windows` (`over_at`);