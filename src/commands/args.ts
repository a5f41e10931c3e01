/**
 * For commands without arguments.
 * @throws when an argument is given
 */
export const rejectArguments = ([word]: string[], command: string, hint = ""): void => {
  if (word !== undefined)
    throw new Error(`${command} takes no "${word}"${hint}. wakeful ${command} --help lists its options.`);
};
