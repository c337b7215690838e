// English words of signing in, of recovery and of the frame around the screens.
export const accessEn = {
  restore: {
    link: 'Forgot the password?',
    title: 'Set a new password',
    chooseTitle: 'Choose a new password',
  },
  recovery: {
    title: 'Save your recovery codes',
    hint: 'Each code signs you in once if you do not have your phone. They are not shown again.',
    kept: 'I have saved them',
    use: 'Use a recovery code',
    code: 'Recovery code',
    useDigits: 'Use the authenticator app',
  },
  shell: {
    account: 'Devices and security',
    viewing: 'You are viewing as {{name}}. Nothing can be changed.',
    sendingHeld: 'This is a restored copy: no postbacks, emails or invoices are sent.',
    openSettings: 'Open settings',
    stopViewing: 'Stop viewing',
    newVersion: 'A new version is available.',
    refresh: 'Refresh the page',
    updateTitle: 'The system has been updated',
    updateText: 'Refresh the page to use the new version. Unsaved changes are lost.',
    later: 'Close',
    allGroups: 'All partner groups',
    groupFilter: 'Partner group: limits every screen to its data',
  },
} as const
