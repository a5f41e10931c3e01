import { version } from "../build-info";
import { rejectArguments } from "./args";

export const help = "usage: wakeful version\n\nPrints the version.\n";

export const run = async (words: string[]): Promise<void> => {
  rejectArguments(words, "version");
  process.stdout.write(`${version}\n`);
};
