ALTER TABLE "users" ADD COLUMN "channel_tested_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "drilled_at" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "checklist_hidden_at" bigint;