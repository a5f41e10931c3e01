CREATE TABLE "lost_pings" (
	"monitor_id" bigint NOT NULL,
	"started_at" bigint NOT NULL,
	"ended_at" bigint NOT NULL,
	CONSTRAINT "lost_pings_monitor_id_started_at_pk" PRIMARY KEY("monitor_id","started_at")
);
--> statement-breakpoint
ALTER TABLE "lost_pings" ADD CONSTRAINT "lost_pings_monitor_id_monitors_id_fk" FOREIGN KEY ("monitor_id") REFERENCES "public"."monitors"("id") ON DELETE cascade ON UPDATE no action;