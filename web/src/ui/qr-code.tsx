// A text as a QR code, drawn as one path; always dark on white, because cameras need it so.
import { encode } from 'uqr'

interface QrCodeProps {
  text: string
  label: string
  className?: string | undefined
}

export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, data } = encode(text, { border: 0, ecc: 'M' })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={className}
    >
      <path d={path} fill="#0b1220" />
    </svg>
  )
}
