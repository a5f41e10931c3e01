/** The two database engines that one schema serves. */
export type Dialect = "sqlite" | "postgres";
