ALTER TABLE `status_pages` ADD `zone` text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `auto_incidents` text;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `auto_since` integer DEFAULT 0 NOT NULL;