// An upload area: files are dropped or chosen, sent at once, shown with progress, and can be removed.

import { Progress } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconFileSpreadsheet, IconUpload, IconX } from '@tabler/icons-react'
import { MEGABYTE, UPLOAD_LIMIT, UPLOAD_RULE } from '@tributary/contract/limits'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDecimal } from '../../lib/number-format.ts'
import { IconButton } from '../icon-button.tsx'
import classes from './file-upload.module.css'
import { type FileUploadOptions, type UploadItem, useUploads } from './use-uploads.ts'

interface FileUploadProps<T> extends Partial<Omit<FileUploadOptions<T>, 'send'>>, Pick<FileUploadOptions<T>, 'send'> {
  label: string
  description?: ReactNode
  disabled?: boolean
}

export function FileUpload<T>({
  label,
  description,
  disabled = false,
  rule = UPLOAD_RULE,
  limit = UPLOAD_LIMIT,
  ...parts
}: FileUploadProps<T>) {
  const { t } = useTranslation()
  const id = useId()
  const { items, problems, add, remove } = useUploads({ ...parts, rule, limit })
  const types = rule.extensions.map((extension) => `.${extension}`).join(', ')
  const isFull = items.length >= limit
  return (
    <div className={classes.upload}>
      {isFull ? null : (
        <Dropzone
          multiple
          disabled={disabled}
          onDrop={add}
          inputProps={{ accept: rule.extensions.map((extension) => `.${extension}`).join(','), 'aria-label': label }}
          aria-label={label}
          aria-describedby={id}
          classNames={{ root: classes.zone ?? '', inner: classes.inner ?? '' }}
        >
          <IconUpload size={22} aria-hidden className={classes.icon} />
          <span className={classes.label}>{label}</span>
          <span className={classes.hint}>
            {description ?? t(($) => $.forms.uploadHint, { types, size: Math.floor(rule.maxBytes / MEGABYTE) })}
          </span>
        </Dropzone>
      )}
      <p id={id} role="alert" className={classes.problems}>
        {problems.join('. ')}
      </p>
      <ul className={classes.files}>
        {items.map((item) => (
          <FileLine key={item.key} item={item} onRemove={() => remove(item.key)} />
        ))}
      </ul>
    </div>
  )
}

function FileLine<T>({ item, onRemove }: { item: UploadItem<T>; onRemove: () => void }) {
  const { t } = useTranslation()
  const label = t(($) => $.forms.uploadRemove, { name: item.name })
  return (
    <li className={classes.file}>
      <IconFileSpreadsheet size={18} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <span className={classes.name} title={item.name}>
          {item.name}
        </span>
        <span className={classes.hint}>
          {item.result === null
            ? t(($) => $.forms.uploadProgress, { percent: item.progress })
            : t(($) => $.forms.uploadSize, { size: formatDecimal(item.size / MEGABYTE, 2) ?? '' })}
        </span>
        {item.result === null ? <Progress size={4} value={item.progress} aria-label={item.name} /> : null}
      </div>
      <IconButton label={label} icon={IconX} variant="subtle" color="gray" onClick={onRemove} />
    </li>
  )
}
