// English words of what works with any report: how current it is, copies, saving, exports, own columns, what has changed.

export const reportToolsEn = {
  notice: {
    inaccurate: 'Until then the numbers may be inaccurate.',
    updated: 'The data of this report has been updated.',
    reload: 'Reload the report',
    close: 'Hide this message',
  },
  ages: {
    title: 'Everything that happened up to these moments is counted:',
    clicks: 'clicks',
    players: 'players and deposits',
    spends: 'spends',
    built: 'The report was built at {{time}}.',
  },
} as const
