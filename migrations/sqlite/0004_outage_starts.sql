ALTER TABLE `outages` ADD `started_after` integer;--> statement-breakpoint
ALTER TABLE `outages` ADD `detected_at` integer;