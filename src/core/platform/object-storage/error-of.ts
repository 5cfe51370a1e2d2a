import type { AppError } from '../errors/index.ts'
import type { OutboundReply } from '../outbound/index.ts'
import { objectStorageErrors } from './errors.ts'
import { parseReply, textOf } from './parse-reply.ts'

type Context = { host: string; bucket: string; region: string; now: Date }

const DENIED = new Set([
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'AllAccessDisabled',
  'AccountProblem',
])
const OTHER_REGION = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
])
const MISSING = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])
const TRANSIENT = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'])
const MAX_MESSAGE = 200

/** The error for a reply that is none of success. Codes: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function errorOf({ status, headers, body }: OutboundReply, { host, bucket, region, now }: Context): AppError {
  const reply = parseReply(body)
  const code = textOf(reply, 'Code')
  const said = `${code === '' ? `status ${status}` : code}${detailOf(textOf(reply, 'Message'))}`
  const details = { status, ...(code === '' ? {} : { storage_code: code }) }
  if (code === 'RequestTimeTooSkewed' || code === 'RequestExpired') {
    const theirs = Date.parse(headers['date'] ?? '')
    const there = Number.isNaN(theirs) ? '' : `; there it is ${new Date(theirs).toISOString()}`
    return objectStorageErrors.storage_clock({
      message: `${host}: it is ${now.toISOString()} on this machine${there}.`,
      hint: 'timedatectl set-ntp true',
      details,
    })
  }
  if (code === 'NoSuchBucket') {
    return objectStorageErrors.storage_bucket_missing({ message: `${host} has no bucket ${bucket}.`, details })
  }
  const other = headers['x-amz-bucket-region'] ?? textOf(reply, 'Region')
  const isElsewhere = (status >= 300 && status < 400) || OTHER_REGION.has(code)
  if (isElsewhere || (status === 400 && other !== '' && other !== region)) {
    const place = other === '' ? textOf(reply, 'Endpoint') : other
    const where = isPlace(place) ? `in ${place}` : 'elsewhere'
    return objectStorageErrors.storage_wrong_region({
      message: `The bucket ${bucket} is ${where}, not in ${region} at ${host}.`,
      hint: 'Set backups.s3.region and backups.s3.endpoint.',
      details: { ...details, ...(isPlace(other) ? { region: other } : {}) },
    })
  }
  if (DENIED.has(code) || status === 401 || (status === 403 && code === '')) {
    return objectStorageErrors.storage_denied({ message: `${host}: ${said}`, details })
  }
  if (MISSING.has(code) || (status === 404 && code === '')) {
    return objectStorageErrors.storage_object_missing({ message: `${host}: ${said}`, details })
  }
  if (TRANSIENT.has(code) || status === 429 || status >= 500) {
    return objectStorageErrors.storage_unreachable({ message: `${host}: ${said}`, details })
  }
  return objectStorageErrors.storage_failed({ message: `${host}: ${said}`, details })
}

/** A text of a server, for one line of a log. */
function detailOf(message: string): string {
  // eslint-disable-next-line no-control-regex
  const line = message
    .replaceAll(/[\u0000-\u001F\u007F-\u009F]+/g, ' ')
    .trim()
    .slice(0, MAX_MESSAGE)
  return line === '' ? '' : ` (${line})`
}

function isPlace(text: string): boolean {
  return /^[A-Za-z0-9.-]{1,100}$/.test(text)
}
