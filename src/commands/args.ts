/**
 * For commands that take no words: what is given all the same was meant for something.
 * @throws when there is any
 */
export const rejectArguments = ([word]: string[], command: string, hint = ""): void => {
  if (word !== undefined)
    throw new Error(`${command} takes no "${word}"${hint}. wakeful ${command} --help tells more.`);
};
