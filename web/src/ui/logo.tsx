// The product's logo.
export function Logo({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill="#1d5fbf" />
      <path
        d="M8 8c0 6 3.6 7.6 8 8.4M24 8c0 6-3.6 7.6-8 8.4M16 5v22"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  )
}
