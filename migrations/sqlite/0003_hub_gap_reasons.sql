CREATE TABLE `__new_hub_gaps` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`ended_at` integer,
	`reason` text DEFAULT 'hub_stopped' NOT NULL,
	`announced` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_hub_gaps`("started_at", "ended_at") SELECT "started_at", "ended_at" FROM `hub_gaps`;--> statement-breakpoint
DROP TABLE `hub_gaps`;--> statement-breakpoint
ALTER TABLE `__new_hub_gaps` RENAME TO `hub_gaps`;--> statement-breakpoint
ALTER TABLE `instances` ADD `blind_since` integer;--> statement-breakpoint
ALTER TABLE `heartbeats` ADD `unknown_since` integer;
