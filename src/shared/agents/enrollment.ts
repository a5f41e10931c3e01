/** Bounds of enrollment tokens: the machines of one, and the days until it expires. */
export const ENROLLMENT_LIMITS = { uses: 1000, days: 365 } as const;
