CREATE TABLE `incident_components` (
	`incident_id` integer NOT NULL,
	`component_id` integer NOT NULL,
	`status` text NOT NULL,
	PRIMARY KEY(`incident_id`, `component_id`),
	FOREIGN KEY (`incident_id`) REFERENCES `incidents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`component_id`) REFERENCES `page_components`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `incident_components_component_id_index` ON `incident_components` (`component_id`);--> statement-breakpoint
CREATE TABLE `incident_pages` (
	`incident_id` integer NOT NULL,
	`page_id` integer NOT NULL,
	PRIMARY KEY(`incident_id`, `page_id`),
	FOREIGN KEY (`incident_id`) REFERENCES `incidents`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`page_id`) REFERENCES `status_pages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `incident_pages_page_id_index` ON `incident_pages` (`page_id`);--> statement-breakpoint
CREATE TABLE `incident_texts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `incident_texts_team_id_index` ON `incident_texts` (`team_id`);--> statement-breakpoint
CREATE INDEX `incident_texts_user_id_index` ON `incident_texts` (`user_id`);--> statement-breakpoint
CREATE TABLE `incident_updates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`incident_id` integer NOT NULL,
	`status` text NOT NULL,
	`body` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`edited_at` integer,
	FOREIGN KEY (`incident_id`) REFERENCES `incidents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `incident_updates_incident_id_at_index` ON `incident_updates` (`incident_id`,`at`);--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`title` text NOT NULL,
	`impact` text NOT NULL,
	`status` text NOT NULL,
	`started_at` integer NOT NULL,
	`resolved_at` integer,
	`outage_id` integer,
	`auto` integer NOT NULL,
	`public_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incidents_public_key_unique` ON `incidents` (`public_key`);--> statement-breakpoint
CREATE INDEX `incidents_team_id_resolved_at_index` ON `incidents` (`team_id`,`resolved_at`);--> statement-breakpoint
CREATE INDEX `incidents_user_id_index` ON `incidents` (`user_id`);--> statement-breakpoint
CREATE INDEX `incidents_outage_id_index` ON `incidents` (`outage_id`);