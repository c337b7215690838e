// A URL to copy: shown whole, with a copy button and a QR code.

import { Popover } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { CopyField } from './copy-field.tsx'
import { IconButton } from './icon-button.tsx'
import classes from './link-field.module.css'

interface QrCodeProps {
  text: string
  label: string
  className?: string | undefined
}

/** Draws a text as a QR code in one path. It is always dark on white, because cameras need the contrast. */
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

export function LinkField({ value, label }: { value: string | null | undefined; label: string }) {
  return (
    <CopyField value={value} label={label} whole>
      {value ? <QrButton value={value} label={label} /> : null}
    </CopyField>
  )
}

function QrButton({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation()
  const words = t(($) => $.links.qr)
  return (
    <Popover position="bottom-end" shadow="md" withArrow trapFocus returnFocus>
      <Popover.Target>
        <IconButton label={words} icon={IconQrcode} iconSize={15} size="sm" aria-label={`${words}: ${label}`} />
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.paper}>
          <QrCode text={value} label={words} className={classes.code} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
