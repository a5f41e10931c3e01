CREATE TABLE `forgotten` (
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
);
