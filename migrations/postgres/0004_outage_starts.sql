ALTER TABLE "outages" ADD COLUMN "started_after" bigint;--> statement-breakpoint
ALTER TABLE "outages" ADD COLUMN "detected_at" bigint;