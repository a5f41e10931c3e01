import { version } from "../version";
import { takeNoWords } from "./words";

export const help = "usage: wakeful version\n\nPrints the version.\n";

export const run = async (words: string[]): Promise<void> => {
  takeNoWords(words, "version");
  process.stdout.write(`${version}\n`);
};
