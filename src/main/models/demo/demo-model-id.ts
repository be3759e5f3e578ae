/** The demo model's id, apart from its code so that listing the providers loads no model. */

export const demoModelId = "demo-script";
