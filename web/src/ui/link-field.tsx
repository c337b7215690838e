// An address that people take elsewhere: shown whole, copied, opened as a QR code.
import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyField } from './copy-field.tsx'
import classes from './link-field.module.css'
import { QrCode } from './qr-code.tsx'

export function LinkField({ value, label }: { value: string | null | undefined; label: string }) {
  return (
    <CopyField value={value} label={label} whole>
      {value ? <QrButton value={value} label={label} /> : null}
    </CopyField>
  )
}

function QrButton({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation()
  const words = t(($) => $.links.qr)
  return (
    <Popover position="bottom-end" shadow="md" withArrow trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={words}>
          <ActionIcon size="sm" aria-label={`${words}: ${label}`}>
            <IconQrcode size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={classes.paper}>
          <QrCode text={value} label={words} className={classes.code} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
