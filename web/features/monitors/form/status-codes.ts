/** The codes offered by the form, by class. */
export const statusCodes = {
  2: [200, 201, 202, 203, 204, 205, 206],
  3: [300, 301, 302, 303, 304, 307, 308],
  4: [400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 418, 422, 429, 451],
  5: [500, 501, 502, 503, 504, 505],
} as const;

export const statusClasses = [2, 3, 4, 5] as const;

/** 2 → "2xx", 204 → "204". */
export const expectedText = (expected: number) => (expected < 10 ? `${expected}xx` : String(expected));

/** A code of no class that the form has groups for. */
export const isUnlisted = (expected: number) =>
  !statusClasses.some((group) => group === expected || group === Math.floor(expected / 100));

/** A code that the form does not offer, but that some client set, must survive an edit. */
export const codesOf = (group: (typeof statusClasses)[number], present: number): readonly number[] => {
  const codes: readonly number[] = statusCodes[group];
  const isForeign = Math.floor(present / 100) === group && !codes.includes(present);
  return isForeign ? [...codes, present].sort((a, b) => a - b) : codes;
};
