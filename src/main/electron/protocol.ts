/** Serves the console's page under app://console/ from a list made at the start, so that no request can name another file. */
import { protocol } from "electron";
import { securityHeaders } from "../../shared/security-headers.ts";

/** By URL path; `/` is the start page. */
type Pages = ReadonlyMap<string, { read(): Promise<Uint8Array<ArrayBuffer>>; type: string }>;

/** Must run before the app is ready. The scheme gets no right to step around the CSP or CORS. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Answers GET requests for known paths of app://console/, always with the security headers. */
export function servePages(pages: Pages): void {
  protocol.handle("app", async ({ method, url: address }) => {
    const url = new URL(address);
    const page = url.host === "console" ? pages.get(url.pathname) : undefined;
    if (method !== "GET") return new Response(null, { status: 405, headers: securityHeaders });
    const body = await page?.read().catch(() => undefined);
    if (page === undefined || body === undefined)
      return new Response(null, { status: 404, headers: securityHeaders });
    return new Response(body, { headers: { ...securityHeaders, "Content-Type": page.type } });
  });
}
