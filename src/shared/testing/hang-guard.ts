/**
 * How long anything in a test may take before it counts as hung, in milliseconds. It is no measure of speed: a busy
 * machine takes many times as long as an idle one, and no test may pass or fail by that. Speed is measured in bench/.
 */
export const hangGuardMs = 90_000;
