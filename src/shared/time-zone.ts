/** Whether a name is that of a time zone of the IANA database that this process knows. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
