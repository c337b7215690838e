// What prevents drafting or sending: a line per kind of blocker, which opens one for each partner.
import { Link } from '@tanstack/react-router'
import type { Blocker, BlockerCode } from '@tributary/contract/calls/payment-invoice'
import { useTranslation } from 'react-i18next'
import classes from './statement.module.css'

interface BlockerGroup {
  readonly code: BlockerCode
  readonly blocks: Blocker['blocks']
  /** Number of partners. */
  readonly partners: number
  readonly blockers: readonly Blocker[]
  /** All say the same, so that only partners tell them apart. */
  readonly isUniform: boolean
}

/** Groups blockers of one kind, in the order of the first of each. */
export const groupBlockers = (blockers: readonly Blocker[]): BlockerGroup[] =>
  [...Map.groupBy(blockers, ({ code }) => code)].map(([code, all]) => ({
    code,
    blocks: all[0]?.blocks ?? 'create',
    partners: new Set(all.map(({ partner }) => partner?.id)).size,
    blockers: all,
    isUniform: new Set(all.map(({ message }) => message)).size === 1,
  }))

export function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  return groupBlockers(blockers).map((group) => <Group key={group.code} {...group} />)
}

function Group({ code, blocks, partners, blockers, isUniform }: BlockerGroup) {
  const { t } = useTranslation()
  const tone = blocks === 'create' ? classes.blocker : classes.warning
  const link = (blocker: Blocker, text: string) => (
    <Link to={blocker.link} className={classes.link ?? ''}>
      {text}
    </Link>
  )
  const [first] = blockers
  if (first !== undefined && blockers.length === 1) return <p className={tone}>{link(first, first.message)}</p>
  return (
    <details className={tone}>
      <summary>
        {t(($) => $.billing.blockers[code])} · {t(($) => $.billing.partners, { count: partners })}
      </summary>
      <ul className={classes.blockers}>
        {blockers.map((blocker) => (
          <li key={`${blocker.partner?.id} ${blocker.message}`}>
            {link(blocker, isUniform ? (blocker.partner?.title ?? blocker.message) : blocker.message)}
          </li>
        ))}
      </ul>
    </details>
  )
}
