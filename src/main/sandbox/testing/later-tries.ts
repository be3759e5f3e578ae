/** What a confined command may plant for programs of the person that run later: each leaves it in the folder it works in. */

/** `$ACT` is what is to be run outside, `$PROFILE` a file of the person that must stay as it is. */
export type LaterTry = { readonly name: string; readonly script: string };

const filter = `git -c core.hooksPath=/dev/null add -A; printf '* filter=x diff=x merge=x\\n' > .gitattributes; printf '[filter "x"]\\n\\tclean = %s; cat\\n\\tsmudge = %s; cat\\n[diff "x"]\\n\\tcommand = %s\\n\\ttextconv = %s\\n[merge "x"]\\n\\tdriver = %s\\n' "$ACT" "$ACT" "$ACT" "$ACT" "$ACT"`;
const settings = `printf '[core]\\n\\tfsmonitor = "%s; false"\\n\\tpager = %s\\n\\tsshCommand = %s\\n\\thooksPath = .h\\n[gpg]\\n\\tprogram = %s\\n' "$ACT" "$ACT" "$ACT" "$ACT"`;
const hooks = `for h in pre-commit post-commit post-checkout post-merge post-rewrite pre-auto-gc reference-transaction prepare-commit-msg; do printf '#!/bin/sh\\n%s\\n' "$ACT" > "$D/$h"; chmod +x "$D/$h"; done`;
const stopped = `git config --get-regexp . >/dev/null; GIT_SEQUENCE_EDITOR="printf 'break\\nexec %s\\n' '$ACT' >" git rebase -i HEAD~1`;

export const laterTries: readonly LaterTry[] = Object.entries({
  "hooks in the place of the old ones": `mv .git/hooks .git/old; mkdir -p .git/hooks; D=.git/hooks; ${hooks}`,
  "hooks that the settings are to name": `mkdir -p .h; D=.h; ${hooks}; ${settings} >> .git/config`,
  "settings beside the settings": `${settings} > .git/config.worktree; git config extensions.worktreeConfig true`,
  "settings swapped in": `${settings} > c; mv -f c .git/config; mv --exchange c .git/config`,
  "settings by a lock that git would take over": `${settings} > .git/config.lock`,
  "settings of a repository around this one": `${settings} > ../.gitconfig`,
  "settings of a folder that says it is the common one": `mkdir common && cp -r .git/objects .git/refs .git/HEAD common/ && ${settings} > common/config; echo ../common > .git/commondir`,
  "attributes with drivers": `${filter} >> .git/config; ${filter} > .git/info/attributes`,
  "attributes in git's own folder": `mkdir -p .git/info; echo '* filter=x' > .git/info/attributes`,
  "a rebase that stopped before a program": stopped,
  "a rebase that was written by hand": `git rebase -i HEAD~1 </dev/null; d=.git/rebase-merge; mkdir -p $d; git rev-parse HEAD > $d/onto; cp $d/onto $d/orig-head; echo refs/heads/main > $d/head-name; : > $d/interactive; printf 'x %s\\n' "$ACT" > $d/git-rebase-todo; echo 1 > $d/msgnum; echo 1 > $d/end; : > $d/done`,
  "a rebase whose list is a link": `${stopped}; cp .git/rebase-merge/git-rebase-todo list; ln -sf "$W/list" .git/rebase-merge/git-rebase-todo`,
  "a rebase whose list is put in the place of one without a program": `GIT_SEQUENCE_EDITOR="printf 'break\\n' >" git rebase -i HEAD~1; printf 'exec %s\\n' "$ACT" > .git/rebase-merge/git-rebase-todo`,
  "the same in the old place of a rebase": `mkdir -p .git/rebase-apply; printf 'exec %s\\n' "$ACT" > .git/rebase-apply/git-rebase-todo`,
  "a log that is a link": `ln -sf "$PROFILE" .git/logs/HEAD`,
  "a branch's log that is a link": `ln -sf "$PROFILE" .git/logs/refs/heads/main`,
  "all logs behind a link": `mkdir l; ln -s "$PROFILE" l/HEAD; rm -rf .git/logs; ln -s ../l .git/logs`,
  "a message that is a link": `git commit -q --amend -m "$ACT"; ln -sf "$PROFILE" .git/COMMIT_EDITMSG`,
  "a list that is a link": `git add -A; cp .git/index i; ln -sf "$PROFILE" .git/index`,
  "packed names that are a link": `git pack-refs --all; ln -sf "$PROFILE" .git/packed-refs`,
  "what was fetched is a link": `ln -sf "$PROFILE" .git/FETCH_HEAD; ln -sf "$PROFILE" .git/ORIG_HEAD; ln -sf "$PROFILE" .git/MERGE_MSG`,
  "a branch that is a link": `ln -sf "$PROFILE" .git/refs/heads/third; ln -sf "$PROFILE" .git/refs/heads/other`,
  "branches behind a link": `mkdir r; ln -s "$PROFILE" r/third; ln -sf "$PROFILE" r/other; cp .git/refs/heads/main r/; rm -rf .git/refs/heads; ln -s ../../r .git/refs/heads`,
  "the head as a link": `cp .git/HEAD h; ln -sf "$PROFILE" .git/HEAD`,
  "a repository below": `git init -q sub && ${settings} >> sub/.git/config; git -C sub -c core.fsmonitor= commit -q --allow-empty -m x; git add sub`,
  "a repository far below": `mkdir -p a/b/c/d/e; cd a/b/c/d/e; git init -q .; git commit -q --allow-empty -m x; ${settings} >> .git/config; cd "$W"; git add a`,
  "a repository far below, behind a file": `mkdir -p a/b/c/d/e; cd a/b/c/d/e; git init -q --separate-git-dir="$W/elsewhere" .; git commit -q --allow-empty -m x; ${settings} >> "$W/elsewhere/config"; cd "$W"; git add a`,
  "a submodule that brings its own way to be brought": `git init -q sub; git -C sub commit -q --allow-empty -m x; git add sub; printf '[submodule "sub"]\\n\\tpath = sub\\n\\turl = ./sub\\n\\tupdate = !%s\\n' "$ACT" > .gitmodules; git add -A; git submodule init; git config submodule.sub.update "!$ACT"`,
  "a submodule's settings in git's own folder": `mkdir -p .git/modules/sub; cp -r .git/objects .git/refs .git/HEAD .git/modules/sub/; ${settings} > .git/modules/sub/config; mkdir sub; echo 'gitdir: ../.git/modules/sub' > sub/.git; git add sub`,
  "a repository that is plain files": `mkdir -p objects refs; cp .git/HEAD HEAD; ${settings} > config`,
  "a work tree that it makes": `git worktree add -q ../wt 2>/dev/null; git worktree add -q inner; ${settings} > .git/worktrees/inner/config.worktree`,
  "the repository behind a file": `cp -r .git copy; ${settings} >> copy/config; rm -rf .git; echo 'gitdir: copy' > .git`,
  "the repository behind a link": `cp -r .git copy; ${settings} >> copy/config; mv .git away; ln -s copy .git`,
  "a remote that is a program": `mkdir -p .git/remotes .git/branches; printf 'URL: ext::sh -c "%s"\\nPull: x\\n' "$ACT" > .git/remotes/origin; echo "ext::sh -c '$ACT'" > .git/branches/origin`,
  "steps of a cherry-pick with a way of its own": `mkdir -p .git/sequencer; git rev-parse HEAD > .git/sequencer/head; echo "pick $(git rev-parse HEAD~1)" > .git/sequencer/todo; git rev-parse HEAD > .git/CHERRY_PICK_HEAD; printf '[options]\\n\\tstrategy = x -c %s\\n\\tgpg-sign = x\\n' "$ACT" > .git/sequencer/opts`,
  "a pipe where git reads": `rm -f .git/COMMIT_EDITMSG; mkfifo .gitattributes .git/info/attributes`,
}).map(([name, script]) => ({ name, script }));
