import { version } from "../build-info";
import { takeNoWords } from "./args";

export const help = "usage: wakeful version\n\nPrints the version.\n";

export const run = async (words: string[]): Promise<void> => {
  takeNoWords(words, "version");
  process.stdout.write(`${version}\n`);
};
