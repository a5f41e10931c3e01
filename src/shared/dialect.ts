/** The supported database engines. */
export type Dialect = "sqlite" | "postgres";
