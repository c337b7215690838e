// The frame of the sign-in screens: the brand on one side, the form on the other; only the form on narrow screens.
import { IconArrowsExchange, IconChartBar, IconLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LanguageMenu, ThemeMenu } from '../../ui/frame-menus.tsx'
import { Logo } from '../../ui/logo.tsx'
import classes from './auth.module.css'

const STARTS = [20, 95, 170, 245, 320, 395, 470, 545]
const JOIN = 250

/** The picture of the sign-in page: many streams that join into one. */
function Streams({ className }: { className?: string | undefined }) {
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

interface AuthFrameProps {
  title: string
  hint: string
  children: ReactNode
}

export function AuthFrame({ title, hint, children }: AuthFrameProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.page}>
      <aside className={classes.face}>
        <Streams className={classes.streams} />
        <div className={classes.brand}>
          <Logo className={classes.sign} />
          {t(($) => $.product)}
        </div>
        <div className={classes.pitch}>
          <p className={classes.tagline}>{t(($) => $.tagline)}</p>
          <p className={classes.promise}>{t(($) => $.auth.pitch)}</p>
          <ul className={classes.points}>
            <li>
              <IconArrowsExchange size={17} stroke={1.7} aria-hidden />
              {t(($) => $.auth.pitchTraffic)}
            </li>
            <li>
              <IconChartBar size={17} stroke={1.7} aria-hidden />
              {t(($) => $.auth.pitchReports)}
            </li>
            <li>
              <IconLink size={17} stroke={1.7} aria-hidden />
              {t(($) => $.auth.pitchSpend)}
            </li>
          </ul>
        </div>
      </aside>
      <main className={classes.side}>
        <div className={classes.tools}>
          <LanguageMenu />
          <ThemeMenu />
        </div>
        <div className={classes.card}>
          <div className={classes.smallBrand}>
            <Logo className={classes.sign} />
            {t(($) => $.product)}
          </div>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.hint}>{hint}</p>
          {children}
        </div>
      </main>
    </div>
  )
}
