export const playersReportApi = {
  title: 'Players reports API',
  one: 'request',
  subtitle: 'Days that the players API was asked for, and what it answered',
  create: 'New request',
  fields: {
    report_date: 'Report date',
    advertiser: 'Advertiser',
    requested_site_ids: 'Requested Site IDs',
    status: 'Status',
    warnings: 'Warnings',
    original_response: 'Original response',
    report: 'Came as',
  },
  choices: {
    status: {
      waiting: 'Waiting',
      processing: 'Under way',
      success: 'Success',
      warnings: 'With warnings',
      failed: 'Failed',
    },
  },
} as const
