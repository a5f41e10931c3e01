ALTER TABLE "status_pages" ADD COLUMN "zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "auto_incidents" jsonb;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "auto_since" bigint DEFAULT 0 NOT NULL;