DROP INDEX "thresholds_user_id_index";--> statement-breakpoint
ALTER TABLE "thresholds" ALTER COLUMN "minutes" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "thresholds" ADD COLUMN "enabled" boolean DEFAULT true;--> statement-breakpoint
CREATE INDEX "thresholds_user_id_agent_id_index" ON "thresholds" USING btree ("user_id","agent_id");--> statement-breakpoint
CREATE INDEX "thresholds_agent_id_index" ON "thresholds" USING btree ("agent_id");--> statement-breakpoint
INSERT INTO "thresholds" ("user_id", "scope", "agent_id", "metric", "threshold", "clear", "enabled")
SELECT "user_id", case when "target_id" = 0 then 'all' else 'agent' end, nullif("target_id", 0), 'cpu', "cpu_threshold", greatest(0, "cpu_threshold" - 5),
	case when "target_id" = 0 or "override_global" then "enabled" and "events" @> '["cpu"]' end
FROM "notification_rules" WHERE "target_type" = 'agent' AND ("target_id" = 0 OR "target_id" IN (SELECT "id" FROM "agents"));
--> statement-breakpoint
INSERT INTO "thresholds" ("user_id", "scope", "agent_id", "metric", "threshold", "clear", "enabled")
SELECT "user_id", case when "target_id" = 0 then 'all' else 'agent' end, nullif("target_id", 0), 'memory', "memory_threshold", greatest(0, "memory_threshold" - 5),
	case when "target_id" = 0 or "override_global" then "enabled" and "events" @> '["memory"]' end
FROM "notification_rules" WHERE "target_type" = 'agent' AND ("target_id" = 0 OR "target_id" IN (SELECT "id" FROM "agents"));
--> statement-breakpoint
INSERT INTO "thresholds" ("user_id", "scope", "agent_id", "metric", "threshold", "clear", "enabled")
SELECT "user_id", case when "target_id" = 0 then 'all' else 'agent' end, nullif("target_id", 0), 'disk', "disk_threshold", greatest(0, "disk_threshold" - 5),
	case when "target_id" = 0 or "override_global" then "enabled" and "events" @> '["disk"]' end
FROM "notification_rules" WHERE "target_type" = 'agent' AND ("target_id" = 0 OR "target_id" IN (SELECT "id" FROM "agents"));
--> statement-breakpoint
UPDATE "agent_states" SET "alarms" = coalesce("alarms", '[]') || jsonb_build_array(jsonb_build_object('metric', 'cpu', 'subject', '', 'alerting', ("levels" >> 0 & 3) >= 2, 'since', case when ("levels" >> 0 & 3) <> 2 then coalesce("sampled_at", 0) end, 'ofRule', true)) WHERE ("levels" >> 0 & 3) > 0;
--> statement-breakpoint
UPDATE "agent_states" SET "alarms" = coalesce("alarms", '[]') || jsonb_build_array(jsonb_build_object('metric', 'memory', 'subject', '', 'alerting', ("levels" >> 2 & 3) >= 2, 'since', case when ("levels" >> 2 & 3) <> 2 then coalesce("sampled_at", 0) end, 'ofRule', true)) WHERE ("levels" >> 2 & 3) > 0;
--> statement-breakpoint
UPDATE "agent_states" SET "alarms" = coalesce("alarms", '[]') || jsonb_build_array(jsonb_build_object('metric', 'disk', 'subject', '', 'alerting', ("levels" >> 4 & 3) >= 2, 'since', case when ("levels" >> 4 & 3) <> 2 then coalesce("sampled_at", 0) end, 'ofRule', true)
	|| case when ("levels" >> 4 & 3) >= 2 then jsonb_strip_nulls(jsonb_build_object('mount', (SELECT "mount" FROM "events" WHERE "target_type" = 'agent' AND "target_id" = "agent_states"."agent_id" AND "kind" = 'disk_high' AND "subject" = '' AND NOT "drill" ORDER BY "at" DESC, "id" DESC LIMIT 1))) else '{}' end) WHERE ("levels" >> 4 & 3) > 0;
--> statement-breakpoint
ALTER TABLE "agent_states" DROP COLUMN "levels";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "cpu_threshold";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "memory_threshold";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "disk_threshold";
