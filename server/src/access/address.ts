// Where a request comes from, as the record can keep it and as guesses are counted: one subscriber of IPv6 has a whole /64 to come from.
import { isIPv6 } from 'node:net'

/** Without the name of a network card and without the IPv6 dress of an IPv4 address; as the record keeps it. */
export function plainAddress(ip: string): string {
  const [address = ''] = ip.split('%')
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  // Behind '::' only the end is written; what it leaves out is zeros.
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter((group) => group !== '').length
  const whole = [...groups, ...Array.from({ length: zeros }, () => '0'), ...(tail?.split(':') ?? [])]
  return whole.slice(0, 4).join(':').toLowerCase()
}
