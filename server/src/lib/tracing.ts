// Spans of traces. OpenTelemetry's API does nothing until telemetry.ts has started its SDK.

import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('tributary')
/** Longest text of a statement in a span. */
const STATEMENT_CAP = 2000

/** Starts the span of a request from outside, with the request's id if it has one. The caller ends it. */
export const startRequestSpan = (name: string, requestId: string | undefined, parent: Context = ROOT_CONTEXT): Span => {
  const attributes = requestId === undefined ? {} : { request_id: requestId }
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
}

/** The context that the sender's `traceparent` names. */
export const readTraceParent = (headers: object): Context => propagation.extract(ROOT_CONTEXT, headers)

/** Runs `work` so that spans of its statements belong to the span. */
export const withSpan = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(ROOT_CONTEXT, span), work)

/** Runs `work` in a span of its own trace. */
export async function inRootSpan<T>(
  name: string,
  kind: 'job' | 'call',
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const options = { kind: kind === 'job' ? SpanKind.CONSUMER : SpanKind.CLIENT, attributes, root: true }
  const span = tracer.startSpan(name, options)
  return endWith(
    span,
    withSpan(span, () => work(span)),
  )
}

/** Runs a statement of an engine in a span, if it belongs to one. */
export async function inStatementSpan<T>(
  engine: 'postgresql' | 'clickhouse',
  statement: string,
  run: () => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan()?.isRecording() !== true) return run()
  const attributes = { 'db.system.name': engine, 'db.query.text': statement.slice(0, STATEMENT_CAP) }
  return endWith(tracer.startSpan(engine, { kind: SpanKind.CLIENT, attributes }), run())
}

async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    failSpan(span, error instanceof Error ? error.message : String(error))
    throw error
  } finally {
    span.end()
  }
}

export const failSpan = (span: Span, message: string): void =>
  void span.setStatus({ code: SpanStatusCode.ERROR, message })

/** The id of the current trace, if it is recorded. */
export function currentTraceId(): string | undefined {
  const span = trace.getActiveSpan()
  return span?.isRecording() === true ? span.spanContext().traceId : undefined
}
