CREATE TABLE `announcements` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_id` integer NOT NULL,
	`update_id` integer,
	`changes` text NOT NULL,
	`window_id` integer,
	`stage` text,
	`title` text NOT NULL,
	`from_at` integer,
	`to_at` integer,
	`components` text NOT NULL,
	`created_at` integer NOT NULL,
	`reached` integer DEFAULT 0 NOT NULL,
	`queued_at` integer,
	FOREIGN KEY (`page_id`) REFERENCES `status_pages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`update_id`) REFERENCES `incident_updates`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `announcements_page_id_update_id_unique` ON `announcements` (`page_id`,`update_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `announcements_page_id_window_id_from_at_stage_unique` ON `announcements` (`page_id`,`window_id`,`from_at`,`stage`);--> statement-breakpoint
CREATE INDEX `announcements_update_id_index` ON `announcements` (`update_id`);--> statement-breakpoint
CREATE INDEX `announcements_open_index` ON `announcements` (`id`) WHERE queued_at is null;--> statement-breakpoint
CREATE INDEX `announcements_created_at_index` ON `announcements` (`created_at`);--> statement-breakpoint
CREATE TABLE `notices` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`subscriber_id` integer NOT NULL,
	`channel` text NOT NULL,
	`kind` text NOT NULL,
	`announcement_id` integer,
	`part` integer NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claimed_by` text,
	FOREIGN KEY (`subscriber_id`) REFERENCES `subscribers`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`announcement_id`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notices_announcement_unique` ON `notices` (`announcement_id`,`subscriber_id`,`kind`,`part`);--> statement-breakpoint
CREATE INDEX `notices_channel_due_at_index` ON `notices` (`channel`,`due_at`);--> statement-breakpoint
CREATE INDEX `notices_subscriber_id_index` ON `notices` (`subscriber_id`);--> statement-breakpoint
CREATE TABLE `subscribers` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_id` integer NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`address_key` text NOT NULL,
	`components` text,
	`language` text NOT NULL,
	`nonce` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`page_id`) REFERENCES `status_pages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscribers_page_id_address_key_unique` ON `subscribers` (`page_id`,`address_key`);--> statement-breakpoint
CREATE INDEX `subscribers_unconfirmed_index` ON `subscribers` (`created_at`) WHERE confirmed_at is null;--> statement-breakpoint
ALTER TABLE `incident_updates` ADD `notified_at` integer;