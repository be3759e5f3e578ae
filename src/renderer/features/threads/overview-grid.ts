/** The columns of the overview, the same for its head and its rows: cell, shape, thread, plan, waits, since, cost, model. */
export const overviewGrid =
  "grid items-center gap-x-4 pr-8 pl-4 grid-cols-[12px_14px_minmax(0,1fr)_108px_36px_56px_64px_132px] max-[1199px]:grid-cols-[12px_14px_minmax(0,1fr)_96px_32px_52px_60px_84px] max-[1199px]:gap-x-3";
