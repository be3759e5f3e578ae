/** What the window of the booted entry is made of, and what its page may load, do and reach. */
import { describe, expect, it, vi } from "vitest";
import { bootToWindow } from "./testing/boot-entry.ts";
import { createEvent } from "./testing/strict.ts";

describe("the window", () => {
  it("is made with safe preferences and shows only the built-in page (S1)", async () => {
    const { window } = await bootToWindow();
    expect(window.url).toBe("app://console/");
    expect(window.options.webPreferences).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
    });
    for (const name of ["experimentalFeatures", "enableBlinkFeatures", "allowRunningInsecureContent"])
      expect(window.options.webPreferences).not.toHaveProperty(name, expect.toSatisfy(Boolean));
  });

  it("goes nowhere else, opens nothing, embeds nothing (S7)", async () => {
    const { window } = await bootToWindow();
    const { contents } = window;
    const prevented = (event: string, params: object) => {
      const details = createEvent(params);
      contents.emit(event, details);
      return details.defaultPrevented;
    };
    for (const url of [
      "https://example.com/",
      "https://example.com/#app://console/",
      "file:///etc/passwd",
      "app://console/other",
      "app://console/?a#/queue",
      "about:blank",
    ]) {
      expect(prevented("will-navigate", { url })).toBe(true);
      expect(prevented("will-frame-navigate", { url, isMainFrame: true })).toBe(true);
    }
    // Reloading keeps the place in the console, which stands in the fragment.
    for (const url of ["app://console/", "app://console/#/thread/x", "app://console/#"]) {
      expect(prevented("will-navigate", { url })).toBe(false);
      expect(prevented("will-frame-navigate", { url, isMainFrame: true })).toBe(false);
    }
    expect(prevented("will-frame-navigate", { url: "app://console/", isMainFrame: false })).toBe(true);
    expect(prevented("will-redirect", { url: "app://console/" })).toBe(true);
    expect(prevented("will-attach-webview", {})).toBe(true);
    const details = { url: "https://example.com/" } as Parameters<
      NonNullable<typeof contents.openHandler>
    >[0];
    expect(contents.openHandler?.(details)).toEqual({ action: "deny" });
  });

  it("grants no permission but copying text (S8)", async () => {
    const { recorded } = await bootToWindow();
    const { request, check, device, display } = recorded.permissions;
    const ask = (permission: Parameters<NonNullable<typeof request>>[1]) => {
      const answer = vi.fn<(granted: boolean) => void>();
      request?.({} as never, permission, answer, {} as never);
      const checked = check?.(null, permission as never, "app://console", {} as never);
      return [answer.mock.calls[0]?.[0], checked];
    };
    expect(ask("clipboard-sanitized-write")).toEqual([true, true]);
    for (const permission of [
      "media",
      "geolocation",
      "notifications",
      "clipboard-read",
      "openExternal",
    ] as const)
      expect(ask(permission)).toEqual([false, false]);
    expect(device?.({} as never)).toBe(false);
    const streams = vi.fn();
    display?.({} as never, streams);
    expect(streams).toHaveBeenCalledWith(null);
  });

  it("has a menu of roles only, so that no accelerator takes a single key", async () => {
    const { recorded } = await bootToWindow();
    expect(recorded.menu.length).toBeGreaterThan(3);
    expect(JSON.stringify(recorded.menu)).not.toContain("accelerator");
  });

  it.each(["linux", "win32"] as const)(
    "is not closed by a key on %s, where that ends the app",
    async (platform) => {
      const { recorded } = await bootToWindow({ platform });
      expect(JSON.stringify(recorded.menu)).not.toMatch(/"role":"(close|windowMenu|window)"/);
    },
  );

  it("offers what can be done with the text under the mouse, and nothing where there is none", async () => {
    const { window, recorded } = await bootToWindow();
    const editFlags = {
      canUndo: false,
      canRedo: false,
      canCut: true,
      canCopy: true,
      canPaste: true,
      canSelectAll: true,
    };
    const press = (params: object) => {
      window.contents.emit("context-menu", createEvent({}), { editFlags, ...params });
      return recorded.popups.splice(0).flatMap(({ template }) => template.map(({ role }) => role));
    };
    expect(press({ isEditable: false, selectionText: "" })).toEqual([]);
    expect(press({ isEditable: false, selectionText: "npm test" })).toEqual(["copy", "selectAll"]);
    expect(press({ isEditable: true, selectionText: "" })).toEqual([
      "undo",
      "redo",
      undefined,
      "cut",
      "copy",
      "paste",
      "selectAll",
    ]);
  });
});

describe("the page's address", () => {
  const get = async (path: string, method = "GET") => {
    const { recorded } = await bootToWindow();
    return recorded.serve?.(new Request(path, { method }));
  };

  it("is a secure standard scheme without a way around CSP or CORS (S3)", async () => {
    const { recorded } = await bootToWindow();
    expect(recorded.schemes).toEqual([
      { scheme: "app", privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
  });

  it("answers with the page and a strict content security policy (S4)", async () => {
    const response = await get("app://console/");
    expect(response?.status).toBe(200);
    expect(response?.headers.get("content-type")).toContain("text/html");
    const policy = response?.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
  });

  it.each([
    "app://console/../package.json",
    "app://console/%2e%2e/%2e%2e/package.json",
    "app://console//etc/passwd",
    "app://elsewhere/",
  ])("answers %s with nothing", async (path) => {
    const response = await get(path);
    expect(response?.status).toBe(404);
    expect(response?.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("answers nothing but GET", async () => {
    expect((await get("app://console/", "POST"))?.status).toBe(405);
  });
});
