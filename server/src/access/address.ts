// Client addresses, as they are stored and as guesses are counted: per IPv4 address, or per /64 network of IPv6, which one subscriber owns.
import { isIPv6 } from 'node:net'

/** Without an interface name ('%eth0'); IPv4-mapped IPv6 becomes IPv4. */
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
