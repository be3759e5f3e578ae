/** A document for xterm whose style elements are constructed sheets, because the page's policy allows no inline style (S4). */

type AdoptedDocument = {
  document: Document;
  /** Lets `act` make its elements the same way through the page's own document: xterm's viewport knows no other. */
  during(act: () => void): void;
  /** Takes the sheets out of the page. */
  release(): void;
};

/**
 * Works like `document`, except that a `style` element it makes writes into a sheet of the page,
 * and that setting the attribute `style` goes through the CSSOM.
 */
export function createAdoptedDocument(page: Document): AdoptedDocument {
  const createPageElement = page.createElement.bind(page);
  const sheets = new Set<CSSStyleSheet>();

  function createElement(name: string): HTMLElement {
    if (name !== "style") return withStyleByCssom(createPageElement(name));
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    page.adoptedStyleSheets.push(sheet);
    return Object.defineProperty(createPageElement("i"), "textContent", {
      set: (text: string) => sheet.replaceSync(text),
      get: () => "",
    });
  }

  const methods: Partial<Record<PropertyKey, unknown>> = { createElement };
  const document = new Proxy(page, {
    get(target, key) {
      if (key in methods) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return {
    document,
    during(act) {
      page.createElement = createElement;
      try {
        act();
      } finally {
        Reflect.deleteProperty(page, "createElement");
      }
    },
    release() {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
    },
  };
}

function withStyleByCssom(element: HTMLElement): HTMLElement {
  const setAttribute = element.setAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === "style") element.style.cssText = value;
    else setAttribute(name, value);
  };
  return element;
}
