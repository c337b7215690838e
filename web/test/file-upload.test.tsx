// The upload area: which files it rejects with which messages, and what it shows before an upload.
import { MantineProvider } from '@mantine/core'
import { MEGABYTE, UPLOAD_LIMIT, UPLOAD_RULE } from '@tributary/contract/limits'
import { say } from '@tributary/contract/words/messages'
import i18next from 'i18next'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider } from 'react-i18next'
import { beforeAll, describe, expect, test } from 'vitest'
import { en } from '../src/i18n/en/dictionary.ts'
import { FileUpload } from '../src/ui/upload/file-upload.tsx'
import { checkFiles } from '../src/ui/upload/use-uploads.ts'

const file = (name: string, size = 10) => ({ name, size })
const place = (there = 0) => ({ rule: UPLOAD_RULE, limit: UPLOAD_LIMIT, there })
const messages = (files: ReturnType<typeof file>[], there = 0) =>
  checkFiles(files, place(there)).issues.map(({ key, values }) => [say('en', key, values), say('ru', key, values)])

describe('what may be sent', () => {
  test('xls and xlsx up to 60 MB, whatever the case of the ending [FORM-08]', () => {
    const files = [file('a.xls'), file('b.XLSX', 60 * MEGABYTE)]
    expect(checkFiles(files, { ...place(), limit: 2 })).toEqual({ accepted: files, issues: [] })
  })

  test('wrong type, too large, empty, too many: each has its own message, in both languages [FORM-08] [FORM-03]', () => {
    expect(messages([file('a.csv')])).toEqual([
      ['Only files of these types: xls, xlsx', 'Подходят только файлы: xls, xlsx'],
    ])
    expect(messages([file('a.xls', 60 * MEGABYTE + 1)])).toEqual([
      ['The file is larger than 60 MB', 'Файл больше 60 МБ'],
    ])
    expect(messages([file('a.xls', 0)])).toEqual([['The file is empty', 'Файл пуст']])
    expect(messages([file('a.xls'), file('b.xls')])).toEqual([['No more than 1 at once', 'Не больше 1 за один раз']])
    expect(messages([file('b.xls')], 1)).toHaveLength(1)
    expect(checkFiles([file('b.xls')], place(1)).accepted).toEqual([])
  })
})

describe('the place itself', () => {
  beforeAll(async () => {
    await i18next.init({ lng: 'en', resources: { en: { translation: en } } })
  })

  test('it names the accepted files and offers only such files [FORM-08]', () => {
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={i18next}>
        <MantineProvider>
          <FileUpload label="Report" send={() => Promise.resolve({ id: '1' })} />
        </MantineProvider>
      </I18nextProvider>,
    )
    expect(html).toContain('accept=".xls,.xlsx"')
    expect(html).toContain('.xls, .xlsx, up to 60 MB')
  })
})
