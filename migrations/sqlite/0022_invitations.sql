CREATE TABLE `invitations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`role` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `invitations_team_id_index` ON `invitations` (`team_id`);--> statement-breakpoint
CREATE INDEX `invitations_user_id_index` ON `invitations` (`user_id`);--> statement-breakpoint
CREATE INDEX `invitations_expires_at_index` ON `invitations` (`expires_at`);--> statement-breakpoint
ALTER TABLE `mails` ADD `invitation_id` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `users_team_id_unique` ON `users` (`team_id`);