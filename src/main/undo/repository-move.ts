/** What of a repository goes with files: branches and indexes, each from what it is to what it becomes. */

/** Where git is asked about one work tree. */
export type RepositoryPlace = { cwd: string; gitDir: string; commonDir: string; workTree: string };

export type RepositoryMove = {
  /** Under which a lock of the app's own is known again. */
  readonly id: string;
  readonly refs: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** Of each index the entries that change, as mode and object; null stands for no entry. */
  readonly indexes: readonly {
    readonly place: RepositoryPlace;
    /** The full name of the branch that has to be checked out there. */
    readonly head: string;
    readonly entries: readonly {
      readonly name: string;
      readonly from: string | null;
      readonly to: string | null;
    }[];
  }[];
  /** The store that all of them share. */
  readonly common: string;
};

/** Moves it one way. What is there already is passed over. @param onForeign is told what is neither as before nor as after */
export type MoveRepository = (
  move: RepositoryMove,
  way: "forth" | "back",
  onForeign: (name: string) => void,
) => Promise<void>;
