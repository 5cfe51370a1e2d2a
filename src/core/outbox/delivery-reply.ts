import { z } from 'zod'
import { parseJson } from '../platform/json/index.ts'
import type { AttemptResult } from './delivery.ts'

export type DeliveryHttpReply = { status: number; headers: Record<string, string>; body: Uint8Array }

/** Characters of a reply that are stored in the log. */
const STORED_CHARACTERS = 2000
/** Characters of a service's reason that are stored. */
const REASON_CHARACTERS = 300

const Seconds = z.number().nonnegative()

/** The stored part of the reply as text. */
export function truncatedBodyText({ body }: DeliveryHttpReply): string {
  return new TextDecoder().decode(body).replaceAll('\0', '').slice(0, STORED_CHARACTERS).toWellFormed()
}

/** Parses the reply as JSON of this schema; undefined when it does not match. */
export function parseReplyJson<Shape>({ body }: DeliveryHttpReply, shape: z.ZodType<Shape>): Shape | undefined {
  return shape.safeParse(parseJson(body)).data
}

export function deliveredResult(reply: DeliveryHttpReply): AttemptResult {
  return { isDelivered: true, statusCode: reply.status, responseBody: truncatedBodyText(reply), error: null }
}

/**
 * The result of a rejected delivery. Rate limits, timeouts and server errors are temporary; every other status is final.
 * @param said.reason message of the service, or undefined
 * @param said.retryAfterSeconds from the body of the reply; default: from the header
 */
export function rejectedResult(
  reply: DeliveryHttpReply,
  {
    service,
    reason,
    retryAfterSeconds,
  }: { service: string; reason?: string | undefined; retryAfterSeconds?: number | undefined },
): AttemptResult {
  const { status } = reply
  const description =
    reason === undefined || reason.trim() === '' ? `status ${status}` : `status ${status}: ${reason.trim()}`
  const wait = Seconds.safeParse(retryAfterSeconds ?? headerSeconds(reply)).data
  const isTemporary = status === 429 || status === 408 || status >= 500
  return {
    isDelivered: false,
    statusCode: status,
    responseBody: truncatedBodyText(reply),
    error: `${service} answered with ${description.slice(0, REASON_CHARACTERS)}`.replaceAll('\0', '').toWellFormed(),
    ...(isTemporary ? {} : { isFinal: true }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  }
}

function headerSeconds({ headers }: DeliveryHttpReply): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined
}

export function isSuccessStatus({ status }: DeliveryHttpReply): boolean {
  return status >= 200 && status < 300
}
