// Sends traces to the collector in OTEL_EXPORTER_OTLP_ENDPOINT. The SDK is loaded only if that is set.

import { AsyncResource } from 'node:async_hooks'
import type { Config } from './config.ts'
import type { Logger } from './lib/log.ts'
import { ignore } from './lib/promises.ts'

/** A collector that does not answer delays a stop by at most so long. */
const EXPORT_MS = 3000
/** A collector that is away is named so often. */
const REPORT_MS = 600_000
/** Letters of a failure; the exporter adds what the collector has answered. */
const SAID_LENGTH = 300

/** Resolves when spans are recorded. The result sends the last ones. */
export async function startTracing(
  { tracesTo, tracedShare }: Pick<Config, 'tracesTo' | 'tracedShare'>,
  log: Logger,
  processName: string,
): Promise<() => Promise<void>> {
  if (tracesTo === undefined) return async () => undefined
  const [api, core, resources, sdk, contexts, exporters] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  let reportedAt = Number.NEGATIVE_INFINITY
  // Bound, because the exporter's timer belongs to the request or job that made the first span.
  const report = AsyncResource.bind((message: string, ...details: unknown[]): void => {
    if (performance.now() - reportedAt < REPORT_MS) return
    reportedAt = performance.now()
    const said = [message, ...details].map(String).join(' ').slice(0, SAID_LENGTH)
    log.warn({ error: new Error(said) }, 'traces could not be sent')
  })
  api.diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    api.DiagLogLevel.WARN,
  )
  const exporter = new exporters.OTLPTraceExporter({ url: `${tracesTo}/v1/traces`, timeoutMillis: EXPORT_MS })
  // The share applies to traces that a proxy has begun, too: visitors must not decide what is recorded.
  const sampler = new sdk.TraceIdRatioBasedSampler(tracedShare)
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'tributary', 'service.instance.id': processName })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: new sdk.ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_MS })],
  })
  api.context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable())
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator())
  api.trace.setGlobalTracerProvider(provider)
  return () => provider.shutdown().catch(report)
}
