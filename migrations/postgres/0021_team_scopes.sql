DROP INDEX "thresholds_team_id_index";--> statement-breakpoint
DROP INDEX "thresholds_user_id_agent_id_index";--> statement-breakpoint
DROP INDEX "events_team_id_index";--> statement-breakpoint
DROP INDEX "outages_team_id_index";--> statement-breakpoint
DROP INDEX "outages_user_id_started_at_index";--> statement-breakpoint
DROP INDEX "outages_open_user_id_index";--> statement-breakpoint
DROP INDEX "outages_user_id_ended_at_index";--> statement-breakpoint
DROP INDEX "imports_team_id_index";--> statement-breakpoint
DROP INDEX "monitors_team_id_index";--> statement-breakpoint
DROP INDEX "monitors_user_id_created_at_index";--> statement-breakpoint
DROP INDEX "monitors_user_id_name_index";--> statement-breakpoint
DROP INDEX "monitors_user_id_host_index";--> statement-breakpoint
DROP INDEX "notification_rules_team_id_index";--> statement-breakpoint
DROP INDEX "status_pages_team_id_index";--> statement-breakpoint
DROP INDEX "tags_team_id_index";--> statement-breakpoint
DROP INDEX "tags_user_id_name_unique";--> statement-breakpoint
DROP INDEX "events_user_id_index";--> statement-breakpoint
ALTER TABLE "imports" DROP CONSTRAINT "imports_user_id_source_source_id_external_id_pk";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP CONSTRAINT "notification_rules_user_id_target_type_target_id_pk";--> statement-breakpoint
ALTER TABLE "status_pages" DROP CONSTRAINT "status_pages_pkey";--> statement-breakpoint
ALTER TABLE "status_pages" ADD PRIMARY KEY ("team_id");--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_team_id_source_source_id_external_id_pk" PRIMARY KEY("team_id","source","source_id","external_id");--> statement-breakpoint
ALTER TABLE "notification_rules" ADD CONSTRAINT "notification_rules_team_id_target_type_target_id_pk" PRIMARY KEY("team_id","target_type","target_id");--> statement-breakpoint
CREATE INDEX "thresholds_user_id_index" ON "thresholds" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "thresholds_team_id_agent_id_index" ON "thresholds" USING btree ("team_id","agent_id");--> statement-breakpoint
CREATE INDEX "events_team_id_id_index" ON "events" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "outages_team_id_started_at_index" ON "outages" USING btree ("team_id","started_at","ended_at");--> statement-breakpoint
CREATE INDEX "outages_open_team_id_index" ON "outages" USING btree ("team_id","id") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "outages_user_id_index" ON "outages" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "outages_team_id_ended_at_index" ON "outages" USING btree ("team_id","ended_at");--> statement-breakpoint
CREATE INDEX "imports_user_id_index" ON "imports" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "monitors_user_id_index" ON "monitors" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "monitors_team_id_created_at_index" ON "monitors" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE INDEX "monitors_team_id_name_index" ON "monitors" USING btree ("team_id","name");--> statement-breakpoint
CREATE INDEX "monitors_team_id_host_index" ON "monitors" USING btree ("team_id","host");--> statement-breakpoint
CREATE INDEX "notification_rules_user_id_index" ON "notification_rules" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "status_pages_user_id_index" ON "status_pages" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tags_team_id_name_unique" ON "tags" USING btree ("team_id","name");--> statement-breakpoint
CREATE INDEX "tags_user_id_index" ON "tags" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "events_user_id_index" ON "events" USING btree ("user_id");
