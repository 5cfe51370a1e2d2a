import { z } from 'zod'
import type { Receipt } from '../outbox/index.ts'

export type HttpReply = { status: number; headers: Record<string, string>; body: Uint8Array }

/** Of a reply, in the log. */
const KEPT_CHARACTERS = 2000
/** Of a reason that a service gives. */
const REASON_CHARACTERS = 300

const Seconds = z.number().nonnegative()

/** The reply as text, as much of it as is kept. */
export function keptBody({ body }: HttpReply): string {
  return new TextDecoder().decode(body).replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed()
}

/** The reply as JSON of this shape; undefined when it is something else. */
export function readJson<Shape>({ body }: HttpReply, shape: z.ZodType<Shape>): Shape | undefined {
  try {
    return shape.safeParse(JSON.parse(new TextDecoder().decode(body))).data
  } catch {
    return undefined
  }
}

export function arrival(reply: HttpReply): Receipt {
  return { isDelivered: true, statusCode: reply.status, responseBody: keptBody(reply), error: null }
}

/**
 * A reply that says no. Too many requests, time-outs and troubles of the service pass; every other refusal stays one, however often it is
 * asked.
 * @param said.reason in the service's words, or undefined
 * @param said.retryAfterSeconds where the service says it in the body; else the header counts
 */
export function refusal(
  reply: HttpReply,
  {
    service,
    reason,
    retryAfterSeconds,
  }: { service: string; reason?: string | undefined; retryAfterSeconds?: number | undefined },
): Receipt {
  const { status } = reply
  const words = reason === undefined || reason.trim() === '' ? `status ${status}` : `status ${status}: ${reason.trim()}`
  const wait = Seconds.safeParse(retryAfterSeconds ?? headerSeconds(reply)).data
  const mayPass = status === 429 || status === 408 || status >= 500
  return {
    isDelivered: false,
    statusCode: status,
    responseBody: keptBody(reply),
    error: `${service} answered with ${words.slice(0, REASON_CHARACTERS)}`.replaceAll('\0', '').toWellFormed(),
    ...(mayPass ? {} : { isFinal: true }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
  }
}

function headerSeconds({ headers }: HttpReply): number | undefined {
  const value = headers['retry-after']?.trim() ?? ''
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Number(value) : undefined
}

export function isGood({ status }: HttpReply): boolean {
  return status >= 200 && status < 300
}
