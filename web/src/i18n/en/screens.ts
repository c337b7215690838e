// Words of screens that are opened later; they are downloaded with the first of them.
import { causesEn } from '@tributary/contract/words/en/causes'
import { alertsEn, dashboardEn } from './alerts.ts'
import { billingEn } from './billing.ts'
import { budgetEn } from './budget.ts'
import { drillEn } from './drill.ts'
import { engineEn } from './engine.ts'
import { financeEn } from './finance.ts'
import { formEn, formsEn } from './forms.ts'
import { guideEn } from './guide.ts'
import { historyEn } from './history.ts'
import { kindsEn } from './kinds.ts'
import { linksEn } from './links.ts'
import { listEn, listsEn } from './lists.ts'
import { nounsEn } from './nouns.ts'
import { overviewEn } from './overview.ts'
import { paletteEn } from './palette.ts'
import { passwordEn } from './password.ts'
import { accountEn, peopleEn } from './people.ts'
import { playerScreensEn } from './player-screens.ts'
import { settingsEn } from './settings.ts'
import { sheetsEn } from './sheets.ts'
import { spendsEn } from './spends.ts'
import { startEn } from './start.ts'
import { statusEn } from './status.ts'
import { testersEn } from './testers.ts'
import { trafficEn } from './traffic.ts'

export const screensEn = {
  account: accountEn,
  alerts: alertsEn,
  dashboard: dashboardEn,
  billing: billingEn,
  budget: budgetEn,
  causes: causesEn,
  drill: drillEn,
  engine: engineEn,
  finance: financeEn,
  guide: guideEn,
  kinds: kindsEn,
  links: linksEn,
  testers: testersEn,
  list: listEn,
  lists: listsEn,
  nouns: nounsEn,
  overview: overviewEn,
  palette: paletteEn,
  password: passwordEn,
  form: formEn,
  forms: formsEn,
  history: historyEn,
  settings: settingsEn,
  sheets: sheetsEn,
  spends: spendsEn,
  start: startEn,
  status: statusEn,
  traffic: trafficEn,
  people: peopleEn,
  players: playerScreensEn,
}
