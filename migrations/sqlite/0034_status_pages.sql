PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_status_pages` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`key` text NOT NULL,
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
	`history_days` integer DEFAULT 90 NOT NULL,
	`noindex` integer DEFAULT false NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_status_pages`("user_id", "team_id", "key", "slug", "title", "description", "logo_url", "custom_css", "theme", "monitors", "agents", "groups", "show_hostname", "show_os", "show_version", "updated_at") SELECT "user_id", "team_id", replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(hex(randomblob(6))), '0', 'g'), '1', 'h'), '2', 'i'), '3', 'j'), '4', 'k'), '5', 'l'), '6', 'm'), '7', 'n'), '8', 'o'), '9', 'p'), "slug", "title", "description", "logo_url", "custom_css", "theme", "monitors", "agents", "groups", "show_hostname", "show_os", "show_version", "updated_at" FROM `status_pages` ORDER BY "team_id";--> statement-breakpoint
DROP TABLE `status_pages`;--> statement-breakpoint
ALTER TABLE `__new_status_pages` RENAME TO `status_pages`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `status_pages_slug_unique` ON `status_pages` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `status_pages_key_unique` ON `status_pages` (`key`);--> statement-breakpoint
CREATE INDEX `status_pages_team_id_index` ON `status_pages` (`team_id`);--> statement-breakpoint
CREATE INDEX `status_pages_user_id_index` ON `status_pages` (`user_id`);--> statement-breakpoint
CREATE TABLE `page_components` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`team_id` integer NOT NULL,
	`key` text NOT NULL,
	`listed` integer NOT NULL,
	`position` integer NOT NULL,
	`group_name` text NOT NULL,
	`name` text,
	`description` text NOT NULL,
	`target` text NOT NULL,
	`fixed_status` text,
	`show` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`page_id`) REFERENCES `status_pages`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_components_key_unique` ON `page_components` (`key`);--> statement-breakpoint
CREATE INDEX `page_components_page_id_index` ON `page_components` (`page_id`,`position`);--> statement-breakpoint
CREATE INDEX `page_components_team_id_index` ON `page_components` (`team_id`);--> statement-breakpoint
CREATE INDEX `page_components_user_id_index` ON `page_components` (`user_id`);--> statement-breakpoint
INSERT INTO `page_components` (`page_id`, `user_id`, `team_id`, `key`, `listed`, `position`, `group_name`, `description`, `target`, `show`, `created_at`, `updated_at`)
SELECT p.`id`, p.`user_id`, p.`team_id`, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(hex(randomblob(6))), '0', 'g'), '1', 'h'), '2', 'i'), '3', 'j'), '4', 'k'), '5', 'l'), '6', 'm'), '7', 'n'), '8', 'o'), '9', 'p'), 1, 0, '', '', json_object('monitors', json(json_array(item.`value`)), 'agents', json('[]'), 'tag', null, 'mode', 'all', 'n', 1), 'bar', p.`updated_at`, p.`updated_at` FROM `status_pages` p, json_each(p.`monitors`) item ORDER BY p.`id`, item.`key`;--> statement-breakpoint
INSERT INTO `page_components` (`page_id`, `user_id`, `team_id`, `key`, `listed`, `position`, `group_name`, `description`, `target`, `show`, `created_at`, `updated_at`)
SELECT p.`id`, p.`user_id`, p.`team_id`, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(hex(randomblob(6))), '0', 'g'), '1', 'h'), '2', 'i'), '3', 'j'), '4', 'k'), '5', 'l'), '6', 'm'), '7', 'n'), '8', 'o'), '9', 'p'), 1, 0, '', '', json_object('monitors', json('[]'), 'agents', json(json_array(item.`value`)), 'tag', null, 'mode', 'all', 'n', 1), 'bar', p.`updated_at`, p.`updated_at` FROM `status_pages` p, json_each(p.`agents`) item ORDER BY p.`id`, item.`key`;--> statement-breakpoint
INSERT INTO `page_components` (`page_id`, `user_id`, `team_id`, `key`, `listed`, `position`, `group_name`, `description`, `target`, `show`, `created_at`, `updated_at`)
SELECT p.`id`, p.`user_id`, p.`team_id`, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(hex(randomblob(6))), '0', 'g'), '1', 'h'), '2', 'i'), '3', 'j'), '4', 'k'), '5', 'l'), '6', 'm'), '7', 'n'), '8', 'o'), '9', 'p'), 1, 0, '', '', json_object('monitors', json('[]'), 'agents', json('[]'), 'tag', p.`tag`, 'mode', 'all', 'n', 1), 'bar', p.`updated_at`, p.`updated_at` FROM (SELECT DISTINCT `status_pages`.`id`, `user_id`, `team_id`, `updated_at`, json_extract(item.`value`, '$.tag') AS `tag` FROM `status_pages`, json_each(`groups`) item) p WHERE p.`tag` <> '';