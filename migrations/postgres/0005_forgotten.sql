CREATE TABLE "forgotten" (
	"kind" text NOT NULL,
	"id" bigint NOT NULL,
	"since" bigint NOT NULL,
	CONSTRAINT "forgotten_kind_id_pk" PRIMARY KEY("kind","id")
);
