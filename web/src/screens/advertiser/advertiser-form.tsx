// The form of an advertiser: under its countries and landings stands where visitors go.
import type { FormParts } from '../../entities/form/form-parts.ts'
import { FormScreen } from '../../entities/form/form-screen.tsx'
import { TargetPreview } from './target-preview.tsx'

const PARTS: FormParts = { below: { countries: TargetPreview, landings: TargetPreview } }

export function AdvertiserForm({ id }: { id: number | null }) {
  return <FormScreen name="advertiser" id={id} parts={PARTS} />
}
