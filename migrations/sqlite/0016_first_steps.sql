ALTER TABLE `users` ADD `channel_tested_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `drilled_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `checklist_hidden_at` integer;