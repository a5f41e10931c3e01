ALTER TABLE "notification_rules" ADD COLUMN "events" jsonb;--> statement-breakpoint
UPDATE "notification_rules" SET "events" = to_jsonb(array_remove(array[
	case when "on_down" then 'down' end,
	case when "on_recovery" then 'recovery' end,
	case when "on_slow" then 'slow' end,
	case when "on_certificate" then 'certificate' end,
	case when "on_offline" then 'offline' end,
	case when "on_cpu_threshold" then 'cpu' end,
	case when "on_memory_threshold" then 'memory' end,
	case when "on_disk_threshold" then 'disk' end,
	case when "on_problem" then 'problem' end,
	case when "on_plan" then 'plan' end
], null));--> statement-breakpoint
ALTER TABLE "notification_rules" ALTER COLUMN "events" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_down";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_recovery";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_slow";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_certificate";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_offline";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_cpu_threshold";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_memory_threshold";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_disk_threshold";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_problem";--> statement-breakpoint
ALTER TABLE "notification_rules" DROP COLUMN "on_plan";