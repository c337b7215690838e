// Russian words of setting a new password.
import type { passwordEn } from '../en/password.ts'
import type { Shape } from '../shape.ts'

export const passwordRu: Shape<typeof passwordEn> = {
  hint: 'Введите почту: мы пришлём ссылку, она сработает один раз и действует час.',
  send: 'Отправить ссылку',
  sentTitle: 'Проверьте почту',
  sentHint: 'Ссылка отправлена на {{email}}. Она сработает один раз и действует час.',
  toLogin: 'Вернуться ко входу',
  chooseHint: 'Не меньше 8 символов: заглавные и строчные латинские буквы, цифра и один из знаков !@#$%^&*.',
  password: 'Новый пароль',
  repeat: 'Повторите пароль',
  set: 'Задать пароль',
  done: 'Пароль задан. Войдите с новым паролем.',
  generate: 'Сгенерировать',
  generated: 'Пароль сгенерирован и скопирован. Сохраните его в менеджере паролей.',
  differ: 'Пароли должны совпадать',
}
