// Rejects calls into private networks. It resolves names and checks every IP. The connection must use the checked IP, so that the name cannot
// resolve to another one in the meantime.

import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget'
}

export interface ResolvedTarget {
  address: string
  family: 4 | 6
}

const PRIVATE_RANGES = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE_RANGES.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE_RANGES.addSubnet(net, prefix, 'ipv6')
}

/** True for loopback, private, link-local, shared, reserved and translated IPs. An IPv4-mapped IPv6 address is checked as IPv4. */
export function isPrivateIp(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  if (family === 4) return PRIVATE_RANGES.check(address, 'ipv4')
  const plain = canonical(address.split('%')[0] ?? '')
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? []
  if (high === undefined || low === undefined) return PRIVATE_RANGES.check(plain, 'ipv6')
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return PRIVATE_RANGES.check(`${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`, 'ipv4')
}

/** The shortest spelling of an IPv6 address, with IPv4 parts in hexadecimal. */
const canonical = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

/** Throws ForbiddenTarget for URLs that are forbidden whatever their name resolves to. */
export function checkTarget(url: URL, allowsPrivateTargets: boolean): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new ForbiddenTarget(`${url.protocol} is not called`)
  if (url.username !== '' || url.password !== '') throw new ForbiddenTarget('an address with a user name is not called')
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A connection to an IP resolves no name, so the IP is checked here.
  if (isIP(host) !== 0 && !allowsPrivateTargets && isPrivateIp(host))
    throw new ForbiddenTarget(describeInside(url.hostname))
}

const describeInside = (host: string): string => `${host} is an address inside a private network`

/** Resolves a host to a checked IP. Throws ForbiddenTarget, or the error of name resolution. */
export async function resolveTarget(host: string, allowsPrivateTargets: boolean): Promise<ResolvedTarget> {
  const addresses = (await lookup(host, { all: true })).map((found) => found.address)
  if (!allowsPrivateTargets && addresses.some(isPrivateIp)) throw new ForbiddenTarget(describeInside(host))
  const address = addresses[0] ?? ''
  return { address, family: isIP(address) === 6 ? 6 : 4 }
}
