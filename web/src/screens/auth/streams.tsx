// The picture of the sign-in page: many streams that run into one.
const STARTS = [20, 95, 170, 245, 320, 395, 470, 545]
const JOIN = 250

export function Streams({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 600 565" preserveAspectRatio="xMidYMid slice" fill="none" aria-hidden>
      {STARTS.map((y, index) => (
        <path
          key={y}
          d={`M-20 ${y} C 220 ${y}, 260 ${JOIN + (index - 3.5) * 5}, 620 ${JOIN + (index - 3.5) * 5}`}
          stroke="currentColor"
          strokeWidth={1 + (index % 3) * 0.7}
          strokeOpacity={0.16 + (index % 4) * 0.07}
        />
      ))}
    </svg>
  )
}
