CREATE TABLE `wall_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`tag` text,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wall_keys_hash_unique` ON `wall_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `wall_keys_user_id_index` ON `wall_keys` (`user_id`);