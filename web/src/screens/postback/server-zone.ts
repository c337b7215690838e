// In which zone the log of postbacks tells its times: that of the advertisers' servers. Etc/GMT-6 is the POSIX name of UTC+6.
export const SERVER_ZONE = { id: 'Etc/GMT-6', mark: 'UTC+6' } as const
