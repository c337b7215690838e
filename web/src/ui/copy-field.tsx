// A value that people take elsewhere (a link, a UUID, a key): read-only, in a monospaced face, with its copy button.
import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './copy-field.module.css'
import { Dash } from './value.tsx'

interface CopyFieldProps {
  value: string | null | undefined
  /** What is copied, for screen readers: 'Copy the partner link'. */
  label?: string | undefined
  /** Shows the whole value on several lines instead of cutting it. */
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
