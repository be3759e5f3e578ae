/** What a command is judged against: where it would run, who trusts the folder and which rules exist. */

/** Turns an absolute path into the real one behind its symbolic links (longest existing prefix plus remainder). */
export type ResolvePath = (path: string) => { real: string } | "unresolvable";

/** A token-prefix rule: it matches a unit whose words begin with `tokens`. */
export type CommandRule = {
  id: string;
  tokens: string[];
  effect: "allow" | "ask" | "deny";
  scope: "thread" | "workspace" | "user";
  text: string;
};

/** Everything the policy may know. All paths are absolute and real; nothing else is read. */
export type ShellContext = {
  workspace: string;
  cwd: string;
  home: string;
  trusted: boolean;
  rules: readonly CommandRule[];
  resolvePath?: ResolvePath;
  protectedDirs: readonly string[];
  platform: "bash" | "powershell";
};
