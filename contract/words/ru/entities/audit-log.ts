export const auditLog = {
  title: 'Журнал изменений',
  one: 'изменение',
  subtitle: 'Кто, что и когда изменил и как было раньше',
  create: 'Новое изменение',
  fields: {
    at: 'Когда',
    user: 'Кто',
    action: 'Действие',
    entity: 'Вид записи',
    entity_id: 'Запись',
    cause: 'Причина',
    request_id: 'Запрос',
    before: 'Было',
    after: 'Стало',
  },
  choices: { action: { create: 'Создание', update: 'Изменение', delete: 'Удаление', access: 'Доступ' } },
} as const
