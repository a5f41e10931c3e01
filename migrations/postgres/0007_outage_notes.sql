DROP INDEX "outages_user_id_index";--> statement-breakpoint
ALTER TABLE "outages" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "outages" ADD COLUMN "note_by" text;--> statement-breakpoint
ALTER TABLE "outages" ADD COLUMN "note_at" bigint;--> statement-breakpoint
CREATE INDEX "outages_user_id_started_at_index" ON "outages" USING btree ("user_id","started_at","ended_at");--> statement-breakpoint
CREATE INDEX "outages_started_at_index" ON "outages" USING btree ("started_at","ended_at");