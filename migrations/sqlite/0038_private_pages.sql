ALTER TABLE `status_pages` ADD `access` text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `password_hash` text;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `access_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `access_key_hash` text;--> statement-breakpoint
ALTER TABLE `status_pages` ADD `title_public` integer DEFAULT false NOT NULL;