// Loaded before a server (`--import`): SIGUSR2 makes the process throw an error that nothing catches.
process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('thrown by a test')
  }, 1)
})
