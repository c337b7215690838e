export const googleParseResult = {
  title: 'Spends parsing logs',
  one: 'parsing log',
  subtitle: 'What was read from partners’ spend sheets',
  create: 'New parsing log',
  fields: {
    partner: 'Partner',
    partner_group: 'Group',
    file_id: 'File ID',
    spend_month: 'Spend month',
    parsed_at: 'Parsed (UTC)',
    status: 'Status',
    rows_taken: 'Rows taken',
    warnings: 'Warnings',
  },
  choices: { status: { success: 'Success', warnings: 'Warnings' } },
} as const
