// What prevents drafting or sending: a line per kind of blocker, which opens one for each partner.
import { Link } from '@tanstack/react-router'
import type { Blocker, BlockerCode } from '@tributary/contract/calls/payment-invoice'
import { useTranslation } from 'react-i18next'
import classes from './statement.module.css'

/** Nothing is wrong, and nothing has to be done: what is new is paid with another month. */
const NOTES: ReadonlySet<BlockerCode> = new Set(['statement_approved', 'later_statement'])

type BlockerTone = 'blocker' | 'warning' | 'quiet'

function toneOf({ code, blocks }: Pick<Blocker, 'code' | 'blocks'>): BlockerTone {
  if (NOTES.has(code)) return 'quiet'
  return blocks === 'create' ? 'blocker' : 'warning'
}

interface BlockerGroup {
  readonly code: BlockerCode
  readonly tone: BlockerTone
  /** Number of partners. */
  readonly partners: number
  readonly blockers: readonly Blocker[]
  /** All say the same, so that only partners tell them apart. */
  readonly isUniform: boolean
}

/** Groups blockers of one kind, in the order of the first of each; those that are no problem come last. */
export const groupBlockers = (blockers: readonly Blocker[]): BlockerGroup[] =>
  [...Map.groupBy(blockers, ({ code }) => code)]
    .map(([code, all]) => ({
      code,
      tone: toneOf({ code, blocks: all[0]?.blocks ?? 'create' }),
      partners: new Set(all.map(({ partner }) => partner?.id)).size,
      blockers: all,
      isUniform: new Set(all.map(({ message }) => message)).size === 1,
    }))
    .toSorted((one, other) => Number(one.tone === 'quiet') - Number(other.tone === 'quiet'))

export function BlockerList({ blockers }: { blockers: readonly Blocker[] }) {
  return groupBlockers(blockers).map((group) => <Group key={group.code} {...group} />)
}

function Group({ code, tone, partners, blockers, isUniform }: BlockerGroup) {
  const { t } = useTranslation()
  const link = (blocker: Blocker, text: string) => (
    <Link to={blocker.link} className={classes.link ?? ''}>
      {text}
    </Link>
  )
  const [first] = blockers
  if (first !== undefined && blockers.length === 1) return <p className={classes[tone]}>{link(first, first.message)}</p>
  return (
    <details className={classes[tone]}>
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
