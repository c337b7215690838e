// Writes the demo's people: staff, and partners with their groups, streams and postback URLs.

import type { PoolClient } from 'pg'
import { GROUPS, PARTNER_TAGS, PEOPLE } from './names.ts'
import { makeRandom } from './random.ts'
import { at, insert } from './rows.ts'
import type { NetworkIds, NetworkSetting } from './setting.ts'

export interface People {
  readonly leaders: readonly number[]
  readonly managers: readonly number[]
}

const mailOf = (name: string) =>
  `${name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replace(' ', '.')}@tributary.example`

export async function writePeople(client: PoolClient, { passwordHash }: NetworkSetting): Promise<People> {
  const roles = await readRoles(client)
  const person = (role: string) => (full_name: string) => ({
    full_name,
    email: mailOf(full_name),
    role_id: roles.get(role),
    password_hash: passwordHash,
    language: 'en',
  })
  const leaders = await insert(client, 'user', PEOPLE.leaders.map(person('TEAM_LEADER')))
  const managers = await insert(client, 'user', PEOPLE.managers.map(person('MANAGER')))
  return { leaders, managers }
}

async function readRoles(client: PoolClient): Promise<Map<string, number>> {
  const { rows } = await client.query<{ id: number; kind: string }>('select id, kind from user_role where built_in')
  return new Map(rows.map(({ id, kind }) => [kind, id]))
}

export async function writePartnerUser(
  client: PoolClient,
  { network, passwordHash }: NetworkSetting,
  partners: readonly number[],
): Promise<void> {
  const roles = await readRoles(client)
  const full_name = at(network.partners, 0).title
  await insert(client, 'user', [
    {
      full_name,
      email: mailOf(full_name),
      role_id: roles.get('PARTNER'),
      partner_id: at(partners, 0),
      password_hash: passwordHash,
      language: 'en',
    },
  ])
}

export async function writePartners(
  client: PoolClient,
  { network, partnersUrl, seed }: NetworkSetting,
  trafficSources: readonly number[],
  advertisers: readonly number[],
  people: People,
): Promise<Pick<NetworkIds, 'partners' | 'streams'>> {
  const random = makeRandom(seed).fork('partner details')
  const groups = await insert(
    client,
    'partner_group',
    GROUPS.map((title, i) => ({ title, type: i === 1 ? 'media buying' : 'affiliates', status: 'working' })),
  )
  await insert(
    client,
    'partner_group_team_leader',
    groups.map((id, i) => ({ partner_group_id: id, user_id: at(people.leaders, i % people.leaders.length) })),
  )
  const partners = await insert(
    client,
    'partner',
    network.partners.map(({ title, approved }) => ({
      title,
      state: approved ? 'approved' : 'unapproved',
      team_name: title.split(' ')[0],
    })),
  )
  const memberships = await insert(
    client,
    'partner_partner_group',
    network.partners.map(({ group }, i) => ({ partner_id: at(partners, i), partner_group_id: at(groups, group) })),
  )
  await insert(
    client,
    'partner_group_manager',
    network.partners.map(({ manager }, i) => ({
      partner_partner_group_id: at(memberships, i),
      user_id: at(people.managers, manager % people.managers.length),
      is_main: true,
    })),
  )
  const tags = await insert(
    client,
    'partner_tag',
    PARTNER_TAGS.map((title) => ({ title })),
  )
  const tagged = partners.flatMap((id, i) =>
    i % 3 === 0 ? [{ partner_id: id, partner_tag_id: at(tags, i % tags.length) }] : [],
  )
  await insert(client, 'partner_partner_tag', tagged)
  const affiliates = partners.flatMap((id) =>
    advertisers.flatMap((advertiser_id) =>
      random.chance(0.7)
        ? [{ partner_id: id, advertiser_id, affiliate_id: String(random.between(10_000, 99_999)) }]
        : [],
    ),
  )
  await insert(client, 'partner_advertiser_affiliate', affiliates)
  await insert(
    client,
    'partner_info',
    network.partners.map(({ title }, i) => ({ partner_id: at(partners, i), type: 'email', value: mailOf(title) })),
  )
  const urls = network.partners.flatMap(({ postbacks }, i) =>
    postbacks === 'none'
      ? []
      : [
          {
            partner_id: at(partners, i),
            // A host of its own: alerts of failing hosts count calls by host.
            url: `${postbacks === 'failing' ? partnersUrl.replace('127.0.0.1', 'localhost') : partnersUrl}/${postbacks}/${i + 1}?cid={click_id}&event={event}&sub={sub_id}&player={player_id}`,
            method: i % 4 === 3 ? 'POST' : 'GET',
            events: ['reg', 'ftd'],
          },
        ],
  )
  await insert(client, 'partner_postback_url', urls)
  const streams = await insert(
    client,
    'partner_stream',
    network.streams.map(({ partner, title, trafficSource }) => ({
      partner_id: at(partners, partner),
      title,
      traffic_source_id: at(trafficSources, trafficSource),
    })),
  )
  return { partners, streams }
}
