export const playersReportApi = {
  title: 'Player reports API',
  one: 'request',
  subtitle: 'Requests to the players API and their responses',
  create: 'New request',
  fields: {
    report_date: 'Report date',
    advertiser: 'Advertiser',
    requested_site_ids: 'Requested Site IDs',
    status: 'Status',
    warnings: 'Warnings',
    original_response: 'Original response',
    report: 'Player report',
  },
  choices: {
    status: {
      waiting: 'Waiting',
      processing: 'Processing',
      success: 'Success',
      warnings: 'With warnings',
      failed: 'Failed',
    },
  },
} as const
