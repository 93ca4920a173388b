const HEIGHT = 22;

/** Letters over the chosen time, without axes and on its own scale: the number beside it carries the value. */
export function SparkBars({ heights }: { heights: readonly number[] }) {
  const most = Math.max(1, ...heights);
  const bars = heights.map((height, at) => ({
    at,
    tall: height > 0 ? Math.max(2, (height / most) * (HEIGHT - 1)) : 0,
  }));
  return (
    <svg
      className="spark sparkbars"
      viewBox={`0 0 ${heights.length * 2.4} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="sp-base" d={`M0,${HEIGHT - 0.5}H${heights.length * 2.4}`} />
      {bars.map(({ at, tall }) =>
        tall > 0 ? (
          <rect
            key={at}
            x={(at * 2.4).toFixed(1)}
            y={(HEIGHT - tall).toFixed(1)}
            width="1.6"
            height={tall.toFixed(1)}
          />
        ) : null,
      )}
    </svg>
  );
}
