/** How often a test repeats what is random: `few` times, or `many` with STRESS set. */
export const repetitions = (few: number, many: number): number => (process.env.STRESS ? many : few);
