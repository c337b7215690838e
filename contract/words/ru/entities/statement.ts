import type { StatementLineKind } from '../../../statement.ts'
import { partnerBilling } from './partner-billing.ts'

const line = { currency: 'Валюта', amount: 'Сумма' } as const

export const statementLineKindsRu = {
  cpa: 'CPA',
  rs: 'Доля дохода',
  agency: 'Агентские расходы',
  adjustment: 'Корректировка',
  fee: 'Комиссия',
  carry_over: 'Перенос',
  write_off: 'Списание',
  tax: 'НДС',
} as const satisfies Record<StatementLineKind, string>

export const statement = {
  title: 'Акты начислений',
  one: 'акт начислений',
  subtitle: 'Сколько причитается партнёрам по месяцам',
  create: 'Новый акт',
  fields: {
    month: 'Месяц',
    partner: 'Партнёр',
    currency: 'Валюта',
    state: 'Состояние',
    total: 'Итого',
    paid: 'Оплачено',
    carried: 'Перенесён',
    due_on: 'Оплатить до',
    disputed_at: 'Оспорен',
    disputed: 'В споре',
    dispute_reason: 'Причина спора',
    resolve_reason: 'Решение спора',
    approved_at: 'Утверждён',
    approved_by: 'Утвердил',
    approval_refused: 'Нельзя утвердить',
    created_by: 'Создал',
    voided_at: 'Аннулирован',
    void_reason: 'Причина аннулирования',
    invoices: 'Счета',
    lines: 'Строки',
    payments: 'Выплаты',
  },
  choices: {
    state: {
      draft: 'Черновик',
      approved: 'Утверждён',
      partly_paid: 'Оплачен частично',
      paid: 'Оплачен',
      void: 'Аннулирован',
    },
  },
} as const

export const paymentInvoiceLine = {
  title: 'Строки актов',
  one: 'строка акта',
  subtitle: 'Из чего состоят акты',
  create: 'Новая строка',
  fields: {
    statement: 'Акт',
    payment_invoice: 'Счёт',
    kind: 'Вид',
    offer_partner: 'Связка',
    earned_month: 'Начислено за',
    note: 'Примечание',
    explanation: 'Пояснение',
    quantity: 'Количество',
    rate: 'Цена или %',
    base: 'База',
    ...line,
    rate_unit: 'Единица цены',
    fx_rate: 'Курс',
    total: 'Итого',
  },
  choices: { kind: statementLineKindsRu },
} as const

export const payment = {
  title: 'Выплаты',
  one: 'выплата',
  subtitle: 'Что выплачено партнёрам',
  create: 'Записать выплату',
  fields: {
    statement: 'Акт',
    partner: 'Партнёр',
    paid_at: 'Дата выплаты',
    ...line,
    method: 'Способ',
    reference: 'Номер платежа',
    created_by: 'Записал',
    reversed: 'Отменена',
    reversed_at: 'Когда отменена',
    reversed_by: 'Отменил',
    reversal_reason: 'Причина отмены',
  },
  choices: { method: partnerBilling.choices.method },
} as const

export const crmAttempt = {
  title: 'Вызовы CRM',
  one: 'вызов CRM',
  subtitle: 'Каждый вызов по счёту и ответ на него',
  create: 'Новый вызов',
  fields: {
    payment_invoice: 'Счёт',
    crm_key: 'Ключ идемпотентности',
    method: 'Метод',
    request: 'Запрос',
    status: 'Статус',
    response: 'Ответ',
    error: 'Ошибка',
    duration_ms: 'Длительность, мс',
  },
} as const
