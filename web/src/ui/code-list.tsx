// Codes to be kept, to read and to copy at once.

import classes from './code-list.module.css'
import { CopyButton } from './copy-button.tsx'

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
