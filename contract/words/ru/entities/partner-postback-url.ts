export const partnerPostbackUrl = {
  title: 'Адреса постбэков',
  one: 'адрес постбэка',
  subtitle: 'Куда сообщать партнёру о событиях',
  create: 'Добавить адрес',
  fields: {
    partner: 'Партнёр',
    url: 'Адрес',
    method: 'Метод',
    events: 'События',
    signed: 'С подписью',
    signing_key: 'Ключ подписи',
  },
  choices: {
    method: { GET: 'GET', POST: 'POST' },
    events: {
      reg: 'Регистрация',
      ftd: 'Первый депозит',
      dep: 'Депозит',
      bet: 'Ставка',
      bl: 'Квалификация',
      custom: 'Свои события',
    },
  },
} as const
