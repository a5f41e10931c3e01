type Errors = { code: object; missing: object; field: object };
type WithErrors = { errors: Errors };

/** The texts of a first visit and those of the screens as one. The errors are in both. */
export const withFirst = <First extends WithErrors, Screens extends WithErrors>(
  first: First,
  screens: Screens,
): First & Screens => ({
  ...first,
  ...screens,
  errors: {
    ...first.errors,
    ...screens.errors,
    code: { ...first.errors.code, ...screens.errors.code },
    missing: { ...first.errors.missing, ...screens.errors.missing },
    field: { ...first.errors.field, ...screens.errors.field },
  },
});
