/** Whether a status is the expected one, or, for an expectation of 1 to 5, of that class. */
export const isExpected = (status: number, expected: number): boolean =>
  expected < 10 ? Math.floor(status / 100) === expected : status === expected;

/** `200`, or `2xx` for a class. */
export const expectedLabel = (expected: number): string => (expected < 10 ? `${expected}xx` : String(expected));
