// A read-only value to copy (a link, a UUID, a key), in a monospaced face, with a copy button.

import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './copy-field.module.css'
import { IconButton } from './icon-button.tsx'
import { Dash } from './value.tsx'

/** Lists recovery codes to read and copy at once. */
export function CodeList({ codes }: { codes: readonly string[] }) {
  return (
    <div className={classes.box}>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton value={codes.join('\n')} />
    </div>
  )
}

/** Copies a text and confirms it. Works on plain http too, where the clipboard API is absent. */
function CopyButton({ value, label }: { value: string; label?: string }) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  // After a while the tick becomes the copy icon again.
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const words = isCopied ? t(($) => $.actions.copied) : [t(($) => $.actions.copy), label].filter(Boolean).join(': ')
  return (
    <IconButton
      label={words}
      icon={isCopied ? IconCheck : IconCopy}
      iconSize={15}
      size="sm"
      onClick={() => void copyText(value).then(setCopied)}
    />
  )
}

/** Resolves true if the text is in the clipboard. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

interface CopyFieldProps {
  value: string | null | undefined
  /** Names the copied value: 'Tracking link'. */
  label?: string | undefined
  /** Shows the value on several lines instead of cutting it. */
  whole?: boolean | undefined
  /** Further actions on the right: open, test. */
  children?: ReactNode
}

export function CopyField({ value, label, whole = false, children }: CopyFieldProps) {
  if (!value) return <Dash />
  return (
    <div className={classes.field}>
      <span className={whole ? `${classes.value} ${classes.whole}` : classes.value} title={whole ? undefined : value}>
        {value}
      </span>
      {children}
      <CopyButton value={value} {...(label === undefined ? {} : { label })} />
    </div>
  )
}
