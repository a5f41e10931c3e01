/** The name of the key that opens the palette on this machine. */
export const shortcut = (): string => (/mac|iphone|ipad/i.test(navigator.platform) ? "⌘ K" : "Ctrl K");
