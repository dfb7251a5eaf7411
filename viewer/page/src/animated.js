// Parts of a run that somebody animated: they are no result of the simulation, and the page says so while they move.

/** What is animated at a time, in words; empty where nothing is. runs: those that are shown. */
export function animatedText(runs, time) {
  const named = runs.flatMap((run) =>
    run.animated
      .filter(({ from, to }) => time >= from && time <= to)
      .map(({ what }) => (runs.length > 1 ? `${run.label}: ${what}` : what)),
  );
  return named.length ? `Animated, not simulated: ${[...new Set(named)].join(", ")}` : "";
}
