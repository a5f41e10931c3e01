import { join } from "node:path";

/** Whether this runs as the compiled executable: its files then lie inside of it. */
export const compiled: boolean = /^(\/\$bunfs\/|B:[\\/]~BUN)/.test(import.meta.path);

/** Where the built page lies. */
export const pageDirectory: string = compiled ? join(import.meta.dir, "web") : join(import.meta.dir, "../dist/web");
