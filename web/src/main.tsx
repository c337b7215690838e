// Starts the screens. The language loads first, so that nothing is shown untranslated.
import './state/version.ts'
import './ui/mantine.css'
import './ui/theme.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startLanguage } from './i18n/language.ts'
import { density } from './state/preferences.ts'

const place = document.getElementById('root')
if (!place) throw new Error('the page has no #root')

const followDensity = () => document.documentElement.setAttribute('data-density', density.get())
followDensity()
density.subscribe(followDensity)

await startLanguage()
createRoot(place).render(<App />)
