// Russian words of screens that are opened later; they are downloaded with the first of them.
import { causesRu } from '@tributary/contract/words/ru/causes'
import type { ScreenWords } from '../shape.ts'
import { alertsRu, dashboardRu } from './alerts.ts'
import { billingRu } from './billing.ts'
import { budgetRu } from './budget.ts'
import { drillRu } from './drill.ts'
import { engineRu } from './engine.ts'
import { financeRu } from './finance.ts'
import { formRu, formsRu } from './forms.ts'
import { guideRu } from './guide.ts'
import { historyRu } from './history.ts'
import { kindsRu } from './kinds.ts'
import { linksRu } from './links.ts'
import { listRu, listsRu } from './lists.ts'
import { nounsRu } from './nouns.ts'
import { overviewRu } from './overview.ts'
import { paletteRu } from './palette.ts'
import { passwordRu } from './password.ts'
import { accountRu, peopleRu } from './people.ts'
import { playerScreensRu } from './player-screens.ts'
import { settingsRu } from './settings.ts'
import { sheetsRu } from './sheets.ts'
import { spendsRu } from './spends.ts'
import { startRu } from './start.ts'
import { statusRu } from './status.ts'
import { testersRu } from './testers.ts'
import { trafficRu } from './traffic.ts'

export const screensRu = {
  account: accountRu,
  alerts: alertsRu,
  dashboard: dashboardRu,
  billing: billingRu,
  budget: budgetRu,
  causes: causesRu,
  drill: drillRu,
  engine: engineRu,
  finance: financeRu,
  guide: guideRu,
  kinds: kindsRu,
  links: linksRu,
  testers: testersRu,
  list: listRu,
  lists: listsRu,
  nouns: nounsRu,
  overview: overviewRu,
  palette: paletteRu,
  password: passwordRu,
  form: formRu,
  forms: formsRu,
  history: historyRu,
  settings: settingsRu,
  sheets: sheetsRu,
  spends: spendsRu,
  start: startRu,
  status: statusRu,
  traffic: trafficRu,
  people: peopleRu,
  players: playerScreensRu,
} as const satisfies ScreenWords
