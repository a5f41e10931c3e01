ALTER TABLE "monitors" ADD COLUMN "retry_pause" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "monitors" ADD COLUMN "quick_recheck" boolean DEFAULT true NOT NULL;