CREATE TABLE `api_keys` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_user_id_index` ON `api_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `login_failures` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `security_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer,
	`username` text NOT NULL,
	`address` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `security_log_at_index` ON `security_log` (`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user_id_index` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires_at_index` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `trusted_clients` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` integer NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `trusted_clients_user_id_index` ON `trusted_clients` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`password_hash` text NOT NULL,
	`role` text NOT NULL,
	`language` text,
	`time_zone` text,
	`token_version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_username_key_unique` ON `users` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key_unique` ON `users` (`email_key`);--> statement-breakpoint
CREATE TABLE `agent_states` (
	`agent_id` integer PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`status` text NOT NULL,
	`expires_at` integer,
	`interval` integer,
	`reported_at` integer,
	`levels` integer DEFAULT 0 NOT NULL,
	`sampled_at` integer,
	`cpu` real,
	`memory_total` real,
	`memory_used` real,
	`disk_total` real,
	`disk_used` real,
	`network_rx` real,
	`network_tx` real,
	`extra` text,
	`traffic` text,
	`alarms` text,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_states_key_hash_unique` ON `agent_states` (`key_hash`);--> statement-breakpoint
CREATE INDEX `agent_states_expires_at_index` ON `agent_states` (`expires_at`);--> statement-breakpoint
CREATE TABLE `agents` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`enrollment` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`hostname` text NOT NULL,
	`ip_addresses` text NOT NULL,
	`os` text NOT NULL,
	`version` text NOT NULL,
	`created_at` integer NOT NULL,
	`plan` text,
	`series` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agents_enrolment_unique` ON `agents` (`enrollment`);--> statement-breakpoint
CREATE INDEX `agents_user_id_index` ON `agents` (`user_id`);--> statement-breakpoint
CREATE TABLE `deleted_agents` (
	`key_hash` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_agents_deleted_at_index` ON `deleted_agents` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `enrollment_tokens` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`hash` text NOT NULL,
	`user_id` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`machine_hash` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollment_tokens_hash_unique` ON `enrollment_tokens` (`hash`);--> statement-breakpoint
CREATE INDEX `enrollment_tokens_user_id_index` ON `enrollment_tokens` (`user_id`);--> statement-breakpoint
CREATE TABLE `plan_alerts` (
	`agent_id` integer NOT NULL,
	`kind` text NOT NULL,
	`day` integer NOT NULL,
	`level` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `kind`, `day`, `level`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `report_journal` (
	`id` integer PRIMARY KEY NOT NULL,
	`data` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sample_blocks` (
	`hour` integer NOT NULL,
	`agent_id` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`hour`, `agent_id`)
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `sample_packs` (
	`agent_id` integer PRIMARY KEY NOT NULL,
	`hour` integer,
	`data` blob,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sample_tens` (
	`hour` integer NOT NULL,
	`agent_id` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`hour`, `agent_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `thresholds` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`scope` text NOT NULL,
	`tag_id` integer,
	`agent_id` integer,
	`metric` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`threshold` real NOT NULL,
	`clear` real NOT NULL,
	`minutes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `thresholds_user_id_index` ON `thresholds` (`user_id`);--> statement-breakpoint
CREATE TABLE `traffic_days` (
	`agent_id` integer NOT NULL,
	`day` integer NOT NULL,
	`rx` integer NOT NULL,
	`tx` integer NOT NULL,
	PRIMARY KEY(`agent_id`, `day`),
	FOREIGN KEY (`agent_id`) REFERENCES `agents`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `traffic_days_day_index` ON `traffic_days` (`day`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_id` integer NOT NULL,
	`channel_id` integer NOT NULL,
	`channel_name` text NOT NULL,
	`channel_type` text NOT NULL,
	`purpose` text DEFAULT 'alert' NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`claimed_by` text,
	`error_code` text,
	`error_detail` text,
	`digest_id` integer,
	`group_seconds` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_message_unique` ON `deliveries` (`event_id`,`channel_id`,`purpose`,`sequence`);--> statement-breakpoint
CREATE INDEX `deliveries_next_attempt_at_index` ON `deliveries` (`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `deliveries_waiting_channel_index` ON `deliveries` (`channel_id`,`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE TABLE `escalations` (
	`outage_id` integer PRIMARY KEY NOT NULL,
	`event_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`next_step` integer NOT NULL,
	`round` integer DEFAULT 0 NOT NULL,
	`reminders` integer NOT NULL,
	`reminded_at` integer NOT NULL,
	`next_at` integer NOT NULL,
	FOREIGN KEY (`outage_id`) REFERENCES `outages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `escalations_next_at_index` ON `escalations` (`next_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`kind` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`target_name` text NOT NULL,
	`at` integer NOT NULL,
	`since` integer,
	`error_code` text,
	`error_detail` text,
	`figure` real,
	`threshold` real,
	`mount` text,
	`subject` text DEFAULT '' NOT NULL,
	`facts` text,
	`drill` integer DEFAULT false NOT NULL,
	`outage_id` integer,
	`hold_until` integer,
	`planned_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_subject_unique` ON `events` (`target_type`,`target_id`,`kind`,`subject`,`at`,`drill`);--> statement-breakpoint
CREATE INDEX `events_user_id_index` ON `events` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `events_planned_at_index` ON `events` (`planned_at`);--> statement-breakpoint
CREATE INDEX `events_outage_id_index` ON `events` (`outage_id`);--> statement-breakpoint
CREATE TABLE `flapping_targets` (
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`kind` text NOT NULL,
	`user_id` integer NOT NULL,
	`event_id` integer NOT NULL,
	`changes` integer NOT NULL,
	`settles_at` integer NOT NULL,
	PRIMARY KEY(`target_type`, `target_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `flapping_targets_settles_at_index` ON `flapping_targets` (`settles_at`);--> statement-breakpoint
CREATE INDEX `flapping_targets_user_id_index` ON `flapping_targets` (`user_id`);--> statement-breakpoint
CREATE TABLE `outages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text DEFAULT '' NOT NULL,
	`facts` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`error_code` text,
	`error_detail` text,
	`last_error_code` text,
	`checks_failed` integer,
	`address` text,
	`cause` text,
	`explained_by` integer,
	`acknowledged_at` integer,
	`acknowledged_by` text,
	`acknowledged_via` text,
	`acknowledged_until` integer,
	`acknowledged_note` text,
	`flapping` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outages_open_unique` ON `outages` (`target_type`,`target_id`,`kind`,`subject`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `outages_target_index` ON `outages` (`target_type`,`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `outages_user_id_index` ON `outages` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `outages_open_user_id_index` ON `outages` (`user_id`,`id`) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX `outages_user_id_ended_at_index` ON `outages` (`user_id`,`ended_at`);--> statement-breakpoint
CREATE INDEX `outages_explained_by_index` ON `outages` (`explained_by`);--> statement-breakpoint
CREATE INDEX `outages_ended_at_index` ON `outages` (`ended_at`,`id`);--> statement-breakpoint
CREATE TABLE `app_settings` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `heartbeats` (
	`monitor_id` integer PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`deadline_at` integer,
	`pinged_at` integer,
	`succeeded_at` integer,
	`started_at` integer,
	`run_id` text,
	`muted_until` integer,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `heartbeats_token_unique` ON `heartbeats` (`token`);--> statement-breakpoint
CREATE INDEX `heartbeats_deadline_at_index` ON `heartbeats` (`deadline_at`);--> statement-breakpoint
CREATE TABLE `pings` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`monitor_id` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`run_id` text,
	`duration` integer,
	`exit_status` integer,
	`address` text,
	`user_agent` text,
	`body` text,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pings_monitor_id_index` ON `pings` (`monitor_id`,`id`);--> statement-breakpoint
CREATE TABLE `certificate_alerts` (
	`monitor_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`days` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`monitor_id`, `fingerprint`, `days`),
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `check_blocks` (
	`hour` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`hour`, `monitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `check_days` (
	`bucket` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`up` integer NOT NULL,
	`down` integer NOT NULL,
	`answered` integer NOT NULL,
	`total_time` real NOT NULL,
	`min_time` real,
	`max_time` real,
	`histogram` blob,
	PRIMARY KEY(`bucket`, `monitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `check_hours` (
	`bucket` integer NOT NULL,
	`monitor_id` integer NOT NULL,
	`up` integer NOT NULL,
	`down` integer NOT NULL,
	`answered` integer NOT NULL,
	`total_time` real NOT NULL,
	`min_time` real,
	`max_time` real,
	`histogram` blob,
	PRIMARY KEY(`bucket`, `monitor_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `hub_gaps` (
	`started_at` integer PRIMARY KEY NOT NULL,
	`ended_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `monitor_pauses` (
	`monitor_id` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`monitor_id`, `started_at`),
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `monitor_states` (
	`monitor_id` integer PRIMARY KEY NOT NULL,
	`next_check_at` integer,
	`due_at` integer,
	`claimed_by` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`changed_at` integer,
	`response_time` real,
	`last_checked_at` integer,
	`first_checked_at` integer,
	`cert_expires_at` integer,
	`cert_fingerprint` text,
	`records` text,
	`slow_bits` integer DEFAULT 0 NOT NULL,
	`pack_hour` integer,
	`pack` blob,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitor_states_next_check_at_index` ON `monitor_states` (`next_check_at`);--> statement-breakpoint
CREATE TABLE `monitors` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`name_key` text DEFAULT '' NOT NULL,
	`kind` text NOT NULL,
	`target` text NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`config` text NOT NULL,
	`interval` integer NOT NULL,
	`timeout` integer NOT NULL,
	`retries` integer NOT NULL,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`payload` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitors_user_id_created_at_index` ON `monitors` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `monitors_user_id_name_index` ON `monitors` (`user_id`,`name`);--> statement-breakpoint
CREATE INDEX `monitors_user_id_host_index` ON `monitors` (`user_id`,`host`);--> statement-breakpoint
CREATE TABLE `pending_purges` (
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`)
);
--> statement-breakpoint
CREATE TABLE `recent_checks` (
	`monitor_id` integer PRIMARY KEY NOT NULL,
	`checks` blob NOT NULL,
	FOREIGN KEY (`monitor_id`) REFERENCES `monitors`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `alert_policies` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`steps` text NOT NULL,
	`repeat_minutes` integer NOT NULL,
	`repeat_max` integer NOT NULL,
	`quiet` text,
	`group_seconds` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_policies_user_id_index` ON `alert_policies` (`user_id`);--> statement-breakpoint
CREATE TABLE `channels` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`problem_code` text,
	`problem_detail` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `channels_user_id_index` ON `channels` (`user_id`);--> statement-breakpoint
CREATE TABLE `dependencies` (
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`parent_type` text NOT NULL,
	`parent_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	PRIMARY KEY(`target_type`, `target_id`, `parent_type`, `parent_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `dependencies_parent_index` ON `dependencies` (`parent_type`,`parent_id`);--> statement-breakpoint
CREATE INDEX `dependencies_user_id_index` ON `dependencies` (`user_id`);--> statement-breakpoint
CREATE TABLE `message_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`channel_id` integer,
	`event` text,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `message_templates_user_id_index` ON `message_templates` (`user_id`);--> statement-breakpoint
CREATE TABLE `mutes` (
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`muted_at` integer NOT NULL,
	`ends_at` integer,
	`until_recovery` integer NOT NULL,
	PRIMARY KEY(`target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mutes_user_id_index` ON `mutes` (`user_id`);--> statement-breakpoint
CREATE INDEX `mutes_ends_at_index` ON `mutes` (`ends_at`);--> statement-breakpoint
CREATE TABLE `notification_rules` (
	`user_id` integer NOT NULL,
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`enabled` integer NOT NULL,
	`override_global` integer NOT NULL,
	`on_down` integer NOT NULL,
	`on_recovery` integer NOT NULL,
	`on_slow` integer DEFAULT true NOT NULL,
	`on_certificate` integer DEFAULT true NOT NULL,
	`on_offline` integer NOT NULL,
	`on_cpu_threshold` integer NOT NULL,
	`cpu_threshold` real NOT NULL,
	`on_memory_threshold` integer NOT NULL,
	`memory_threshold` real NOT NULL,
	`on_disk_threshold` integer NOT NULL,
	`disk_threshold` real NOT NULL,
	`on_problem` integer DEFAULT true NOT NULL,
	`on_plan` integer DEFAULT true NOT NULL,
	`channels` text NOT NULL,
	`policy_id` integer,
	`critical` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`user_id`, `target_type`, `target_id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`policy_id`) REFERENCES `alert_policies`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `notification_rules_target_index` ON `notification_rules` (`target_type`,`target_id`);--> statement-breakpoint
CREATE TABLE `status_pages` (
	`user_id` integer PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`logo_url` text NOT NULL,
	`custom_css` text NOT NULL,
	`theme` text DEFAULT 'light' NOT NULL,
	`monitors` text NOT NULL,
	`agents` text NOT NULL,
	`groups` text NOT NULL,
	`show_hostname` integer DEFAULT true NOT NULL,
	`show_os` integer DEFAULT true NOT NULL,
	`show_version` integer DEFAULT true NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `status_pages_slug_unique` ON `status_pages` (`slug`);--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`name` text NOT NULL,
	`colour` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_user_id_name_unique` ON `tags` (`user_id`,`name`);--> statement-breakpoint
CREATE TABLE `target_tags` (
	`target_type` text NOT NULL,
	`target_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`value` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`target_type`, `target_id`, `tag_id`),
	FOREIGN KEY (`tag_id`) REFERENCES `tags`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `target_tags_tag_id_index` ON `target_tags` (`tag_id`,`target_type`);--> statement-breakpoint
CREATE INDEX `target_tags_user_id_index` ON `target_tags` (`user_id`);