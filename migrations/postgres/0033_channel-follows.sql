CREATE TABLE "channel_follows" (
	"user_id" bigint NOT NULL,
	"team_id" bigint NOT NULL,
	"channel_id" bigint NOT NULL,
	CONSTRAINT "channel_follows_team_id_channel_id_pk" PRIMARY KEY("team_id","channel_id")
);
--> statement-breakpoint
ALTER TABLE "channel_follows" ADD CONSTRAINT "channel_follows_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_follows" ADD CONSTRAINT "channel_follows_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_follows" ADD CONSTRAINT "channel_follows_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "channel_follows_user_id_index" ON "channel_follows" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "channel_follows_channel_id_index" ON "channel_follows" USING btree ("channel_id");