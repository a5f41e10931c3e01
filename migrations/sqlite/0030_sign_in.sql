CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_sign_in_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user_id_issuer_unique` ON `identities` (`user_id`,`issuer`);--> statement-breakpoint
ALTER TABLE `mails` ADD `detail` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email_verified_at` integer;