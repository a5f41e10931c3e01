CREATE TABLE "enrolled_machines" (
	"token_id" bigint NOT NULL,
	"machine_hash" text NOT NULL,
	"agent_id" bigint,
	"enrolled_at" bigint NOT NULL,
	CONSTRAINT "enrolled_machines_token_id_machine_hash_pk" PRIMARY KEY("token_id","machine_hash")
);
--> statement-breakpoint
ALTER TABLE "enrollment_tokens" ADD COLUMN "uses" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "enrolled_machines" ADD CONSTRAINT "enrolled_machines_token_id_enrollment_tokens_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."enrollment_tokens"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enrolled_machines" ADD CONSTRAINT "enrolled_machines_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "enrolled_machines_agent_id_index" ON "enrolled_machines" USING btree ("agent_id");--> statement-breakpoint
INSERT INTO "enrolled_machines" ("token_id", "machine_hash", "enrolled_at") SELECT "id", "machine_hash", "created_at" FROM "enrollment_tokens" WHERE "machine_hash" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "enrollment_tokens" DROP COLUMN "machine_hash";