// The page that a visitor sees if a click is rejected. It does not name the product.

const WORDS = {
  en: {
    400: ['This address is not correct', 'Please check the link that you followed.'],
    404: ['Page not found', 'There is nothing at this address.'],
    405: ['This address cannot be used in this way', 'Please open the link in a browser.'],
    410: ['This link is no longer in use', 'The page that it led to is not available any more.'],
    414: ['This address is too long', 'Please check the link that you followed.'],
    503: ['Please try again in a moment', 'The page is not available right now.'],
  },
  ru: {
    400: ['Неверный адрес', 'Проверьте ссылку, по которой вы перешли.'],
    404: ['Страница не найдена', 'По этому адресу ничего нет.'],
    405: ['Этот адрес так не используется', 'Откройте ссылку в браузере.'],
    410: ['Ссылка больше не действует', 'Страница, на которую она вела, недоступна.'],
    414: ['Слишком длинный адрес', 'Проверьте ссылку, по которой вы перешли.'],
    503: ['Попробуйте ещё раз чуть позже', 'Сейчас страница недоступна.'],
  },
} as const

export type PageStatus = keyof (typeof WORDS)['en']

const PAGES = {
  en: renderAll('en'),
  ru: renderAll('ru'),
}

export function neutralPage(status: PageStatus, isRussian: boolean): Buffer {
  return PAGES[isRussian ? 'ru' : 'en'][status]
}

function renderAll(language: 'en' | 'ru'): Record<PageStatus, Buffer> {
  const page = (status: PageStatus): Buffer => Buffer.from(render(language, WORDS[language][status]))
  return { 400: page(400), 404: page(404), 405: page(405), 410: page(410), 414: page(414), 503: page(503) }
}

function render(language: string, [title, text]: readonly [string, string]): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${title}</title><style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:20vh auto;max-width:30rem;padding:0 1rem;text-align:center}</style>
</head><body><h1>${title}</h1><p>${text}</p></body></html>
`
}
