CREATE TABLE `agent_states` (
	`agent_id` integer PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer,
	`interval` integer,
	`reported_at` integer,
	`sampled_at` integer,
	`cpu` real,
	`memory_total` real,
	`memory_used` real,
	`disk_total` real,
	`disk_used` real,
	`network_rx` real,
	`network_tx` real,
	`extra` text,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_states_key_hash_unique` ON `agent_states` (`key_hash`);--> statement-breakpoint
CREATE INDEX `agent_states_expires_at_index` ON `agent_states` (`expires_at`);--> statement-breakpoint
CREATE TABLE `agents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`enrolment` text NOT NULL,
	`name` text NOT NULL,
	`hostname` text NOT NULL,
	`ip_addresses` text NOT NULL,
	`os` text NOT NULL,
	`version` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_enrolment_unique` ON `agents` (`enrolment`);--> statement-breakpoint
CREATE INDEX `agents_user_id_index` ON `agents` (`user_id`);--> statement-breakpoint
CREATE TABLE `enrolment_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`machine_hash` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sample_hours` (
	`bucket` integer NOT NULL,
	`agent_id` integer NOT NULL,
	`cpu_count` integer NOT NULL,
	`cpu_total` real NOT NULL,
	`cpu_max` real,
	`memory_count` integer NOT NULL,
	`memory_total` real NOT NULL,
	`disk_count` integer NOT NULL,
	`disk_total` real NOT NULL,
	`network_count` integer NOT NULL,
	`rx_total` real NOT NULL,
	`tx_total` real NOT NULL,
	PRIMARY KEY(`bucket`, `agent_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sample_tens` (
	`bucket` integer NOT NULL,
	`agent_id` integer NOT NULL,
	`cpu_count` integer NOT NULL,
	`cpu_total` real NOT NULL,
	`cpu_max` real,
	`memory_count` integer NOT NULL,
	`memory_total` real NOT NULL,
	`disk_count` integer NOT NULL,
	`disk_total` real NOT NULL,
	`network_count` integer NOT NULL,
	`rx_total` real NOT NULL,
	`tx_total` real NOT NULL,
	PRIMARY KEY(`bucket`, `agent_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `samples` (
	`hour` integer NOT NULL,
	`agent_id` integer NOT NULL,
	`at` integer NOT NULL,
	`cpu` real,
	`memory` real,
	`disk` real,
	`rx` real,
	`tx` real,
	PRIMARY KEY(`hour`, `agent_id`, `at`)
) WITHOUT ROWID;
