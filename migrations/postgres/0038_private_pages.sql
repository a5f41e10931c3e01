ALTER TABLE "status_pages" ADD COLUMN "access" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "access_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "access_key_hash" text;--> statement-breakpoint
ALTER TABLE "status_pages" ADD COLUMN "title_public" boolean DEFAULT false NOT NULL;