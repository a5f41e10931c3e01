CREATE TABLE "sample_days" (
	"bucket" integer NOT NULL,
	"agent_id" bigint NOT NULL,
	"cpu_count" integer NOT NULL,
	"cpu_total" double precision NOT NULL,
	"cpu_max" double precision,
	"memory_count" integer NOT NULL,
	"memory_total" double precision NOT NULL,
	"disk_count" integer NOT NULL,
	"disk_total" double precision NOT NULL,
	"network_count" integer NOT NULL,
	"rx_total" double precision NOT NULL,
	"tx_total" double precision NOT NULL,
	CONSTRAINT "sample_days_bucket_agent_id_pk" PRIMARY KEY("bucket","agent_id")
);
