CREATE TABLE `channel_follows` (
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	PRIMARY KEY(`team_id`, `channel_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_id`) REFERENCES `channels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channel_follows_user_id_index` ON `channel_follows` (`user_id`);--> statement-breakpoint
CREATE INDEX `channel_follows_channel_id_index` ON `channel_follows` (`channel_id`);