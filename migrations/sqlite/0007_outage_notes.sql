DROP INDEX `outages_user_id_index`;--> statement-breakpoint
ALTER TABLE `outages` ADD `note` text;--> statement-breakpoint
ALTER TABLE `outages` ADD `note_by` text;--> statement-breakpoint
ALTER TABLE `outages` ADD `note_at` integer;--> statement-breakpoint
CREATE INDEX `outages_user_id_started_at_index` ON `outages` (`user_id`,`started_at`,`ended_at`);--> statement-breakpoint
CREATE INDEX `outages_started_at_index` ON `outages` (`started_at`,`ended_at`);