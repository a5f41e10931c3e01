ALTER TABLE "hub_gaps" ALTER COLUMN "ended_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "blind_since" bigint;--> statement-breakpoint
ALTER TABLE "heartbeats" ADD COLUMN "unknown_since" bigint;--> statement-breakpoint
ALTER TABLE "hub_gaps" ADD COLUMN "reason" text DEFAULT 'hub_stopped' NOT NULL;--> statement-breakpoint
ALTER TABLE "hub_gaps" ADD COLUMN "announced" boolean DEFAULT true NOT NULL;
