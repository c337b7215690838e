// Asks for the user's own password before something is done.
import { Modal, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ModalActions } from '../../ui/modal-actions.tsx'
import { useFieldError } from '../../ui/notify.ts'
import { onSubmit } from '../../ui/submit.ts'
import { useBusy } from '../../ui/use-busy.ts'

interface PasswordModalProps {
  readonly opened: boolean
  readonly title: string
  readonly onClose: () => void
  /** Rejects with the server's error; the modal then stays open. */
  readonly send: (password: string) => Promise<unknown>
}

export function PasswordModal({ opened, title, onClose, send }: PasswordModalProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { isBusy, run } = useBusy()
  const failure = useFieldError('current_password')
  const confirm = () =>
    run(
      async () => {
        await send(password)
        setPassword('')
        failure.clear()
        onClose()
      },
      (error) => failure.show(error),
    )
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form onSubmit={onSubmit(confirm)}>
        <OwnPassword value={password} error={failure.text} onChange={setPassword} />
        <ModalActions
          submit={t(($) => $.actions.confirm)}
          onCancel={onClose}
          isBusy={isBusy}
          isReady={password !== ''}
        />
      </form>
    </Modal>
  )
}

interface OwnPasswordProps {
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}

export function OwnPassword({ value, error, onChange }: OwnPasswordProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      required
      label={t(($) => $.billing.password)}
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t(($) => $.auth.showPassword) }}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
