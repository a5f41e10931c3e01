ALTER TABLE `api_keys` ADD `team_id` integer REFERENCES teams(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `api_keys_team_id_index` ON `api_keys` (`team_id`);