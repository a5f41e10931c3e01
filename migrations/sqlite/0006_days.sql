CREATE TABLE `sample_days` (
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
