import { version } from "../version";

export const help = "usage: wakeful version\n\nPrints the version.\n";

export const run = async (): Promise<void> => void process.stdout.write(`${version}\n`);
