// Russian words of spend sheets in Google Sheets.

import type { sheetsEn } from '../en/sheets.ts'
import type { Shape } from '../shape.ts'

export const sheetsRu: Shape<typeof sheetsEn> = {
  settings: {
    title: 'Google Таблицы',
    account: 'Открывайте таблицы на просмотр этому адресу:',
    noAccount: 'Вставьте JSON-ключ сервисного аккаунта как доступ к Google Таблицам ниже.',
    file: 'Адрес или ID таблицы',
    test: 'Проверить доступ',
    open: 'Доступ есть: «{{title}}», листы: {{tabs}}',
  },
  parse: {
    open: 'Разобрать таблицу',
    title: 'Разбор таблицы расходов',
    text: 'Лист месяца читается сейчас: расходы берутся, меняются и удаляются по нему. Это займёт от полминуты до нескольких минут.',
    partner: 'Партнёр',
    group: 'Группа',
    noGroup: 'Партнёр не состоит ни в одной группе: добавьте его в группу и укажите ID таблицы',
    noFile: 'У партнёра нет таблицы расходов: укажите её ID в форме партнёра',
    month: 'Месяц',
    removals: 'Взять, даже если пропадёт больше 30 % суммы месяца',
    send: 'Разобрать',
    preview: 'Посмотреть',
    running: 'Разбор, шаг {{done}} из {{total}} …',
    waiting: 'Ждёт разбора …',
    done: 'Разобрано. Что взято, сказано в журнале.',
    failed: 'Разобрать не удалось: {{reason}}',
  },
  preview: {
    nothing: 'Прочитать нечего',
    layout: {
      matrix: 'Лист «{{tab}}», столбец на день: {{cells}}',
      ledger: 'Лист «{{tab}}», строка на расход: {{cells}}',
    },
    cells_one: '{{count}} расход',
    cells_few: '{{count}} расхода',
    cells_many: '{{count}} расходов',
    cells_other: '{{count}} расхода',
    mapping: 'Заголовки столбцов',
    layoutLabel: 'Раскладка',
    layouts: { matrix: 'Столбец на каждый день', ledger: 'Строка на каждый расход' },
    detected: 'Определяется само',
    columns: {
      stream: 'Поток',
      country: 'Страна',
      site: 'Сайт',
      date: 'Дата',
      sum: 'Сумма',
      currency: 'Валюта',
      note: 'Комментарий',
    },
    again: 'Посмотреть с этими заголовками',
    save: 'Запомнить эти заголовки',
    saved: 'Заголовки сохранены',
  },
  warnings: 'Предупреждения',
  noWarnings: 'Предупреждений нет',
  file: 'Открыть таблицу',
}
