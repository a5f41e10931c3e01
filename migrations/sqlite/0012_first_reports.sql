ALTER TABLE `agent_states` ADD `first_reported_at` integer;--> statement-breakpoint
UPDATE `agent_states` SET `first_reported_at` = (SELECT `created_at` FROM `agents` WHERE `agents`.`id` = `agent_states`.`agent_id`) WHERE `status` <> 'connecting';
