import { version as packageVersion } from "../package.json";

export const version: string = packageVersion;
