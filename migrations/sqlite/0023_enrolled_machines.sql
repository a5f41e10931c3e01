CREATE TABLE `enrolled_machines` (
	`token_id` integer NOT NULL,
	`machine_hash` text NOT NULL,
	`agent_id` integer,
	`enrolled_at` integer NOT NULL,
	PRIMARY KEY(`token_id`, `machine_hash`),
	FOREIGN KEY (`token_id`) REFERENCES `enrollment_tokens`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `enrolled_machines_agent_id_index` ON `enrolled_machines` (`agent_id`);--> statement-breakpoint
ALTER TABLE `enrollment_tokens` ADD `uses` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
INSERT INTO `enrolled_machines` (`token_id`, `machine_hash`, `enrolled_at`) SELECT `id`, `machine_hash`, `created_at` FROM `enrollment_tokens` WHERE `machine_hash` IS NOT NULL;--> statement-breakpoint
ALTER TABLE `enrollment_tokens` DROP COLUMN `machine_hash`;