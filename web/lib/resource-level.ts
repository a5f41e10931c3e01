export type Level = "green" | "amber" | "red";

/** Green below half, amber below three quarters, red from there. */
export const resourceLevel = (percent: number): Level => (percent < 50 ? "green" : percent < 75 ? "amber" : "red");
