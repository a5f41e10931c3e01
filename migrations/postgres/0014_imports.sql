CREATE TABLE "imports" (
	"user_id" bigint NOT NULL,
	"source" text NOT NULL,
	"source_id" text NOT NULL,
	"external_id" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" bigint NOT NULL,
	"digest" text NOT NULL,
	"imported_at" bigint NOT NULL,
	"history_until" bigint,
	CONSTRAINT "imports_user_id_source_source_id_external_id_pk" PRIMARY KEY("user_id","source","source_id","external_id")
);
--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_target_index" ON "imports" USING btree ("target_type","target_id");