/** Says where the console's page comes from, so that the window loads and the door trusts one and the same address. */

/** `url` is loaded into the window; a frame is trusted only when its origin is exactly `origin`. */
export type ConsoleAddress = { url: string; origin: string };

/**
 * The built-in page. Only an unpackaged app may be pointed at a development server, and only at one on this
 * machine.
 */
export function chooseConsoleAddress(isPackaged: boolean, devServerUrl: string | undefined): ConsoleAddress {
  if (!isPackaged && devServerUrl !== undefined && URL.canParse(devServerUrl)) {
    const url = new URL(devServerUrl);
    if (["localhost", "127.0.0.1", "[::1]"].includes(url.hostname))
      return { url: url.href, origin: url.origin };
  }
  return { url: "app://console/", origin: "app://console" };
}
