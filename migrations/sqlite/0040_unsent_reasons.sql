ALTER TABLE `events` ADD `unsent_reason` text;--> statement-breakpoint
CREATE INDEX `deliveries_channel_result_index` ON `deliveries` (`channel_id`,`ended_at`) WHERE state in ('sent', 'failed');