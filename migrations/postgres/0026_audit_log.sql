ALTER TABLE "security_log" ADD COLUMN "team_id" bigint;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "action" text;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "object_type" text;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "object_id" bigint;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "object_name" text;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "fields" jsonb;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "batch" bigint;--> statement-breakpoint
ALTER TABLE "security_log" ADD COLUMN "objects" integer;--> statement-breakpoint
ALTER TABLE "security_log" ADD CONSTRAINT "security_log_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "security_log_team_id_index" ON "security_log" USING btree ("team_id","at");--> statement-breakpoint
CREATE INDEX "security_log_object_index" ON "security_log" USING btree ("object_type","object_id","at");--> statement-breakpoint
CREATE INDEX "security_log_username_index" ON "security_log" USING btree ("username","at");--> statement-breakpoint
CREATE INDEX "security_log_events_index" ON "security_log" USING btree ("id") WHERE kind <> 'change';--> statement-breakpoint
UPDATE "security_log" SET
  action = CASE WHEN kind LIKE '%created' THEN 'created' ELSE 'deleted' END,
  object_type = CASE WHEN kind LIKE 'channel%' THEN 'channel' WHEN kind LIKE 'agent%' THEN 'agent' WHEN kind LIKE 'key%' THEN 'key'
    WHEN kind LIKE 'user%' THEN 'user' ELSE 'enrollment_token' END,
  object_name = detail, fields = '{}', objects = 1,
  team_id = CASE WHEN kind LIKE 'user%' THEN NULL ELSE (SELECT users.team_id FROM users WHERE users.id = security_log.user_id) END
WHERE kind IN ('channel_created', 'channel_deleted', 'agent_deleted', 'key_created', 'key_deleted', 'user_created', 'user_deleted',
  'enrollment_token_created', 'enrollment_token_deleted');--> statement-breakpoint
DELETE FROM "thresholds" WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "thresholds" DROP COLUMN "updated_at";--> statement-breakpoint
ALTER TABLE "thresholds" DROP COLUMN "deleted_at";