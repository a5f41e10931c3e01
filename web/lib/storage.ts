/** Local storage that never throws: it may be full, forbidden or absent. */
export const stored = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

export const store = (key: string, value: string | null) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The choice then lasts as long as the page does.
  }
};

/** Session storage, which lasts as long as the browser tab and ends with the session. It never throws either. */
export const storedInTab = (key: string): string | null => {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
};

export const storeInTab = (key: string, value: string) => {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // The value then lasts as long as the page does.
  }
};

export const clearTab = () => {
  try {
    sessionStorage.clear();
  } catch {
    // Nothing is stored where storage is forbidden.
  }
};
