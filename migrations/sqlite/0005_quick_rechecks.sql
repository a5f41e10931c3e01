ALTER TABLE `monitors` ADD `retry_pause` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `monitors` ADD `quick_recheck` integer DEFAULT true NOT NULL;