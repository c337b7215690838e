// Follows a visitor through a tracking link without recording anything: checks, landing, macros, final URL.
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AnswerOf } from '@tributary/contract/calls/registry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { http } from '../../data/http.ts'
import { type LookupOption, lookupLoader } from '../../data/lookup.ts'
import { LookupSelect } from '../../ui/lookup/lookup-select.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { type BuiltLink, parametersOf } from './built-link.ts'
import classes from './tester.module.css'
import { TraceSteps } from './trace-steps.tsx'

/** User agents of devices that a visit can simulate. */
const DEVICES = {
  desktop:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  bot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
} as const

type DeviceName = keyof typeof DEVICES

export type Trace = AnswerOf<'offer_partner_test_link'>

interface LinkTesterProps {
  id: number
  built: BuiltLink
}

interface Visit {
  readonly country: LookupOption | null
  readonly ip: string
  readonly device: DeviceName
  readonly follow: boolean
}

const DEVICE_NAMES = Object.keys(DEVICES) as DeviceName[]
const countries = lookupLoader('country')

export function LinkTester({ id, built }: LinkTesterProps) {
  const { t } = useTranslation()
  const [visit, setVisit] = useState<Visit>({ country: null, ip: '', device: 'desktop', follow: false })
  const trace = useMutation({
    mutationFn: () =>
      http.post<Trace>(`offer_partner/${id}/test_link`, {
        params: parametersOf(built),
        user_agent: DEVICES[visit.device],
        ...(visit.ip.trim() === '' ? {} : { ip: visit.ip.trim() }),
        ...(visit.follow ? { follow: true } : {}),
      }),
    onError: (error) => notifyFailure(error, { title: t(($) => $.errors.request) }),
  })
  const sample = useMutation({
    mutationFn: async (country: LookupOption) => {
      const code = (await http.get<{ code: string }>(`country/${country.id}`)).code
      return (await http.get<{ ip: string | null }>('visitor_sample', { query: { country: code } })).ip
    },
    onSuccess: (ip) => {
      setVisit((before) => ({ ...before, ip: ip ?? '' }))
      if (ip === null) notifyFailure(t(($) => $.links.noAddress))
    },
    onError: notifyFailure,
  })
  const choose = (country: LookupOption | null) => {
    setVisit({ ...visit, country, ip: '' })
    if (country !== null) sample.mutate(country)
  }
  return (
    <section className={classes.below} aria-label={t(($) => $.links.tester)}>
      <h3 className={classes.title}>{t(($) => $.links.tester)}</h3>
      <p className={classes.text}>{t(($) => $.links.testerText)}</p>
      <div className={classes.builder}>
        <LookupSelect label={t(($) => $.links.country)} load={countries} value={visit.country} onChange={choose} />
        <TextInput
          label={t(($) => $.links.address)}
          placeholder={t(($) => $.links.ownAddress)}
          autoComplete="off"
          value={visit.ip}
          onChange={({ currentTarget: { value } }) => setVisit({ ...visit, ip: value })}
        />
        <Select
          label={t(($) => $.links.device)}
          allowDeselect={false}
          data={DEVICE_NAMES.map((value) => ({ value, label: t(($) => $.links.devices[value]) }))}
          value={visit.device}
          onChange={(device) =>
            setVisit({ ...visit, device: DEVICE_NAMES.find((name) => name === device) ?? 'desktop' })
          }
        />
        <div className={classes.follow}>
          <Switch
            label={t(($) => $.links.follow)}
            checked={visit.follow}
            onChange={({ currentTarget: { checked } }) => setVisit({ ...visit, follow: checked })}
          />
        </div>
      </div>
      <Button variant="default" loading={trace.isPending || sample.isPending} onClick={() => trace.mutate()}>
        {t(($) => $.links.trace)}
      </Button>
      {trace.data === undefined ? null : <TraceSteps trace={trace.data} />}
    </section>
  )
}
