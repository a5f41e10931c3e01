const added = new Map<string, Promise<void>>();

const add = (address: string) =>
  new Promise<void>((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
    link.onload = () => resolve();
    // The screen is readable without its styles; the next screen that needs them tries again.
    link.onerror = () => {
      added.delete(address);
      link.remove();
      resolve();
    };
    document.head.append(link);
  });

/** Adds a stylesheet to the page, after those that it has. Resolves once its rules apply. */
export const loadStyles = (address: string): Promise<void> => {
  const loading = added.get(address) ?? add(address);
  added.set(address, loading);
  return loading;
};
