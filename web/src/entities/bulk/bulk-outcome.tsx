// What became of the selected rows: how many were changed, which were refused and why, how many were not there any more.
import type { BulkAnswer } from '@tributary/contract/selection'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../lib/number-format.ts'
import classes from '../list/reference-list.module.css'

export function BulkOutcome({ outcome }: { outcome: BulkAnswer }) {
  const { t } = useTranslation()
  const { changed, unchanged, absent, left, refused, refusals } = outcome
  const of = (count: number) => ({ count, rows: formatCount(count) ?? '' })
  const more = refused - refusals.length
  return (
    <div>
      <p>{t(($) => $.lists.changedRows, of(changed))}</p>
      {unchanged > 0 ? <p>{t(($) => $.lists.unchangedRows, of(unchanged))}</p> : null}
      {absent > 0 ? <p>{t(($) => $.lists.absentRows, of(absent))}</p> : null}
      {left > 0 ? <p>{t(($) => $.lists.leftRows, of(left))}</p> : null}
      {refused > 0 ? (
        <>
          <p>{t(($) => $.lists.refusedRows, of(refused))}</p>
          <ul className={classes.list}>
            {refusals.map(({ id, title, message }) => (
              <li key={id}>
                <b>{title}</b>: {message}
              </li>
            ))}
            {more > 0 ? <li>{t(($) => $.engine.moreReferences, { count: more })}</li> : null}
          </ul>
        </>
      ) : null}
    </div>
  )
}
