/** Words that mean the same wherever they stand. */
export const common = {
  back: "Back",
  cancel: "Cancel",
  close: "Close",
  copied: "Copied.",
  copy: "Copy",
  failed: "That did not work",
  loading: "Loading…",
  save: "Save",
  times: (count: number) => `${count} times`,
};
