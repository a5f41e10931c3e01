/*
 * The whole database schema. Read this first.
 *
 * Times are epoch milliseconds. A bucket is a time divided by its length: hour = at / 3,600,000, day = at / 86,400,000.
 * Foreign keys cascade where rows are few; history is deleted by its service, in the same transaction.
 */
export * from "./schema/accounts";
export * from "./schema/agents";
export * from "./schema/alerts";
export * from "./schema/common";
export * from "./schema/enrollment";
export * from "./schema/heartbeats";
export * from "./schema/imports";
export * from "./schema/incidents";
export * from "./schema/maintenance";
export * from "./schema/monitors";
export * from "./schema/notifications";
export * from "./schema/pages";
export * from "./schema/sign-in";
export * from "./schema/subscribers";
export * from "./schema/tags";
