CREATE TABLE `page_domains` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_id` integer NOT NULL,
	`domain` text NOT NULL,
	FOREIGN KEY (`page_id`) REFERENCES `status_pages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_domains_domain_unique` ON `page_domains` (`domain`);--> statement-breakpoint
CREATE INDEX `page_domains_page_id_index` ON `page_domains` (`page_id`);