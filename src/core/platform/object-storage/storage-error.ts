import type { AppError } from '../errors/index.ts'
import type { OutboundReply } from '../outbound/index.ts'
import { objectStorageErrors } from './errors.ts'
import { parseXmlReply, childNodeText, type XmlNode } from './parse-xml-reply.ts'

type Context = { host: string; bucket: string; region: string; now: Date }

const CODES: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  storage_clock: ['RequestTimeTooSkewed', 'RequestExpired'],
  storage_bucket_missing: ['NoSuchBucket'],
  storage_wrong_region: ['AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'],
  storage_denied: [
    'AccessDenied',
    'InvalidAccessKeyId',
    'SignatureDoesNotMatch',
    'AllAccessDisabled',
    'AccountProblem',
  ],
  storage_object_missing: ['NoSuchKey', 'NoSuchUpload', 'NotFound'],
  storage_unreachable: ['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted'],
}
const KINDS = new Map(
  Object.entries(CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as Kind] as const)),
)
const MAX_TEXT = 200

/** The error for a reply that is none of success. Codes: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function toStorageError(reply: OutboundReply, { host, bucket, region, now }: Context): AppError {
  const content = parseXmlReply(reply.body)
  const code = lineOf(childNodeText(content, 'Code'))
  const { status, headers } = reply
  const details = { status, ...(code === '' ? {} : { storage_code: code }) }
  const kind = kindOf({ status, code, isRegion: isOtherRegion({ reply, content, region }) })
  if (kind === 'storage_clock') {
    const theirs = Date.parse(headers['date'] ?? '')
    const there = Number.isNaN(theirs) ? '' : `; there it is ${new Date(theirs).toISOString()}`
    const message = `${host}: it is ${now.toISOString()} on this machine${there}.`
    return objectStorageErrors.storage_clock({ message, hint: 'timedatectl set-ntp true', details })
  }
  if (kind === 'storage_bucket_missing') {
    return objectStorageErrors.storage_bucket_missing({ message: `${host} has no bucket ${bucket}.`, details })
  }
  if (kind === 'storage_wrong_region') {
    const other = regionOf(reply, content)
    const where = [other, childNodeText(content, 'Endpoint')].find(isPlace)
    return objectStorageErrors.storage_wrong_region({
      message: `The bucket ${bucket} is ${where === undefined ? 'elsewhere' : `in ${where}`}, not in ${region} at ${host}.`,
      hint: 'Set backups.s3.region and backups.s3.endpoint.',
      details: { ...details, ...(isPlace(other) ? { region: other } : {}) },
    })
  }
  const said = `${code === '' ? `status ${status}` : code}${detailOf(childNodeText(content, 'Message'))}`
  return objectStorageErrors[kind]({ message: `${host}: ${said}`, details })
}

type Kind = Exclude<keyof typeof objectStorageErrors, 'storage_checksum'>

/** The error code of the reply has priority over the status. Replies to HEAD and replies of proxies have no code. */
function kindOf({ status, code, isRegion }: { status: number; code: string; isRegion: boolean }): Kind {
  if (isRegion) return 'storage_wrong_region'
  const known = KINDS.get(code)
  if (known !== undefined) return known
  if (status === 429 || status >= 500) return 'storage_unreachable'
  if (code !== '') return 'storage_failed'
  if (status === 404) return 'storage_object_missing'
  return status === 401 || status === 403 ? 'storage_denied' : 'storage_failed'
}

function isOtherRegion({
  reply,
  content,
  region,
}: {
  reply: OutboundReply
  content: XmlNode
  region: string
}): boolean {
  const other = regionOf(reply, content)
  return (reply.status >= 300 && reply.status < 400) || (reply.status === 400 && other !== '' && other !== region)
}

function regionOf({ headers }: OutboundReply, content: XmlNode): string {
  return headers['x-amz-bucket-region'] ?? childNodeText(content, 'Region')
}

function detailOf(message: string): string {
  const line = lineOf(message)
  return line === '' ? '' : ` (${line})`
}

/** A text of a server, for one line of a log. */
function lineOf(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT)
}

function isPlace(text: string): boolean {
  return /^[A-Za-z0-9.-]{1,100}$/.test(text)
}
