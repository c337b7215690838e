// Normalises client IP addresses for storage, and finds the network by which guesses are counted: an IPv4 address, or a /64 of IPv6.
import { isIPv6 } from 'node:net'

/** Drops an interface name ('%eth0'); converts IPv4-mapped IPv6 to IPv4. */
export function plainAddress(ip: string): string {
  const [address = ''] = ip.split('%')
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/** An IPv4 address, or the first four groups of an IPv6 one: '2001:db8:0:0'. */
export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  // '::' stands for as many zero groups as are missing.
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const whole = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail?.split(':') ?? [])]
  return whole.slice(0, 4).join(':').toLowerCase()
}
