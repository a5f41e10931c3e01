import { measureInstances } from "../checks/instances";
import { option } from "../lib/client";

/** Kills one of three instances under load: no check may be more than 30 s late, and none made twice. */
export const fault = async (args: string[]) => {
  const found = await measureInstances({
    monitors: option(args, "monitors", 3000),
    interval: option(args, "interval", 60),
    seconds: option(args, "seconds", 60),
    instances: 3,
  });
  const { kill_late_by_ms, doubles, kill_doubles, checks_stored_twice, recorded_and_not_summed } = found;
  return {
    ...found,
    losses: {
      late_by_more_than_30_s: Number(kill_late_by_ms > 30_000),
      doubles,
      kill_doubles,
      checks_stored_twice,
      recorded_and_not_summed,
    },
  };
};
