import { nullable, number, oneOf } from "../schema";

export const monitorStatus = oneOf("How it stands; `paused` exactly when it is not active.", [
  "up",
  "down",
  "pending",
  "paused",
]);
export const share = (of: string) => nullable(number(`${of}, 0 to 100; null before the first check.`, 99.93));
