// Light, dark, or as in the system; the choice is kept on this device.
import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

const SCHEMES = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const satisfies Record<
  MantineColorScheme,
  unknown
>

export function ThemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = SCHEMES[colorScheme]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={32} aria-label={t(($) => $.frame.theme)}>
          <Current size={18} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {(['light', 'dark', 'auto'] as const).map((scheme) => {
          const Icon = SCHEMES[scheme]
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
              rightSection={scheme === colorScheme ? <IconCheck size={15} aria-hidden /> : null}
              onClick={() => setColorScheme(scheme)}
            >
              {t(($) => $.frame.themes[scheme])}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
