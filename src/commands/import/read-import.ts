import { answer, type Reading } from "../../modules/transfer/reading/answer";

export const help = `usage: wakeful read-import

Reads a file of another product for the hub, which runs this command: standard input says what to read, and each line of
standard output is a part of it as JSON.
`;

export const run = async (): Promise<void> => {
  const output = Bun.stdout.writer();
  for await (const part of answer((await Bun.stdin.json()) as Reading)) {
    output.write(`${JSON.stringify(part)}\n`);
    // Waits for the reader, so that a long history is never in memory as a whole.
    await output.flush();
  }
  await output.end();
};
