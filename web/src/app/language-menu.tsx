// Chooses the language of the screens and of the server's messages; what was loaded in the old one is loaded again.
import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { LANGUAGES } from '@tributary/contract/entities/user'
import { useTranslation } from 'react-i18next'
import { queryClient } from '../data/query-client.ts'
import { chooseLanguage, currentLanguage } from '../i18n/language.ts'
import classes from './frame.module.css'

/** Each language is named in itself. */
const NAMES = { en: 'English', ru: 'Русский' } as const

export function LanguageMenu({ isSignedIn = false }: { isSignedIn?: boolean }) {
  const { t } = useTranslation()
  const current = currentLanguage()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t(($) => $.frame.language)} className={classes.language}>
          {current.toUpperCase()}
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {LANGUAGES.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <IconCheck size={15} aria-hidden /> : null}
            onClick={() =>
              void chooseLanguage(language).then(() => (isSignedIn ? queryClient.invalidateQueries() : undefined))
            }
          >
            {NAMES[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
