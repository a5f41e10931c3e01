import { existsSync } from "node:fs";
import { readConfig } from "../config";
import { openDatabase } from "../db/database";

export const help = `usage: wakeful backup FILE

Copies the SQLite database in DATA_DIR to FILE: one whole, consistent file, also while the console runs.
To go back, stop the console and put the file in DATA_DIR as wakeful.db.
`;

export const run = async ([file]: string[]): Promise<void> => {
  if (!file) throw new Error("say which file to write: wakeful backup FILE");
  if (existsSync(file)) throw new Error(`${file} exists already, and a backup overwrites nothing`);
  const config = readConfig(process.env);
  if (config.dialect === "sqlite" && !existsSync(`${config.dataDir}/wakeful.db`)) {
    throw new Error(`there is no database in ${config.dataDir} (DATA_DIR)`);
  }
  const db = await openDatabase(config);
  try {
    db.copyTo(file);
    process.stdout.write(`Wrote ${file}\n`);
  } finally {
    await db.close();
  }
};
