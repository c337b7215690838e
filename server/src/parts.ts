// Every part of the product, in the order in which they start.

import { accessPart } from './api/access-part.ts'
import { entityPart } from './api/entity-routes.ts'
import { livePart } from './api/live-part.ts'
import { reportPart } from './api/report-routes.ts'
import { uploadPart } from './api/upload-part.ts'
import { createFactsPart } from './facts/part.ts'
import { mailPart, playerReportPart } from './integrations/part.ts'
import { reportMailPart } from './reports/part.ts'
import type { Part } from './services.ts'
import { postbackSenderPart, sendQualificationPostbacks, trackerPart } from './tracker/part.ts'

export const PARTS: readonly Part[] = [
  accessPart,
  mailPart,
  livePart,
  entityPart,
  reportPart,
  uploadPart,
  reportMailPart,
  createFactsPart(sendQualificationPostbacks),
  playerReportPart,
  trackerPart,
  postbackSenderPart,
]
