/** The words of the mission strip. */
export const strings = {
  region: "Agents at a glance",
  empty: (seat: number) => `Cell ${seat} is empty`,
  more: (count: number) => (count === 1 ? "1 more thread is not idle" : `${count} more threads are not idle`),
  moreShort: (count: number) => `+${count}`,
  needs: (count: number) => (count === 1 ? "1 thread needs you" : `${count} threads need you`),
  works: (count: number) => (count === 1 ? "1 works" : `${count} work`),
  today: (amount: string) => `${amount} today`,
  section: "Threads",
  keys: {
    seat: "Go to a thread of the strip",
    next: "Next thread",
    previous: "Previous thread",
    nextNeeds: "Next thread that needs you",
    previousNeeds: "Previous thread that needs you",
  },
  nothingNeeds: "Nothing needs you.",
};
