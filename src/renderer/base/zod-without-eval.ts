/** Tells zod not to probe for `eval`, which the page's CSP forbids and would report; must load before any schema does. */
import { z } from "zod";

z.config({ jitless: true });
