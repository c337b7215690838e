// Every cause that the server writes into the audit log has words in both languages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeCause } from '@tributary/contract/words/cause'
import { causesEn } from '@tributary/contract/words/en/causes'
import { entitiesEn } from '@tributary/contract/words/en/entities'
import { causesRu } from '@tributary/contract/words/ru/causes'
import { entitiesRu } from '@tributary/contract/words/ru/entities'
import { expect, test } from 'vitest'

const en = { causes: causesEn, entities: entitiesEn }
const ru = { causes: causesRu, entities: entitiesRu }
const SERVER = join(import.meta.dirname, '../../src')

/** The causes in the server's source, found by the names of the functions that write them. */
function causesOfSource(): string[] {
  const files = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const text = files.map((name) => readFileSync(join(SERVER, name), 'utf8')).join('\n')
  const written = [
    /change(?:Record|Signed)\(context, '([^']+)'/g,
    /set_config\('tributary\.cause', '([^']+)'/g,
    /await note\((?:services, input|input, services|context), '([^']+)'/g,
    /const cause = '([^']+)'/g,
    /const CAUSE = '([^']+)'/g,
    /'access', 'user', \$\{id\}, '([^']+)'/g,
    /'(sign(?:ed in|-in refused)[^']*)'/g,
  ]
  return written.flatMap((form) => [...text.matchAll(form)].map(([, cause = '']) => cause))
}

test('every cause that the server writes has words of its own [ENT-24, I18N-02]', () => {
  const causes = [...new Set(causesOfSource())]
  expect(causes.length).toBeGreaterThan(20)
  for (const cause of causes) {
    expect(describeCause(ru, cause), cause).toMatch(/[а-я]/i)
    expect(describeCause(en, cause), cause).not.toMatch(/_/)
  }
})

test('names in a cause are shown in words [ENT-24, I18N-02]', () => {
  expect(describeCause(en, 'update players_report_api')).toBe('Request changed')
  expect(describeCause(en, 'deactivate player')).toBe('Player deactivated')
  expect(describeCause(ru, 'deactivate offer_partner')).toBe('Связка: отключение')
  expect(describeCause(en, 'update api_key: rotated')).toBe('API key changed: rotated')
  expect(describeCause(ru, 'restore 512')).toBe('Возврат прежней версии (изменение 512)')
  expect(describeCause(ru, 'report 6')).toBe('Отчёт по игрокам 6')
  expect(describeCause(ru, 'the integration players_api was changed: address, credential')).toBe(
    'Изменена интеграция API игроков: адрес, ключ доступа',
  )
  expect(describeCause(en, 'an API key was made: tk_1')).toBe('An API key was made: tk_1')
  expect(describeCause(ru, 'what nobody knows any more')).toBe('what nobody knows any more')
})
