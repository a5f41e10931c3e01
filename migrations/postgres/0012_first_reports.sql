ALTER TABLE "agent_states" ADD COLUMN "first_reported_at" bigint;--> statement-breakpoint
UPDATE "agent_states" SET "first_reported_at" = (SELECT "created_at" FROM "agents" WHERE "agents"."id" = "agent_states"."agent_id") WHERE "status" <> 'connecting';
