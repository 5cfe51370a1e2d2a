import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export const S3_KEYS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}

type StoredObject = { content: Buffer; etag: string; modifiedAt: Date }

type Upload = { key: string; startedAt: Date; parts: Map<number, Buffer> }

/** Called with each request before it is carried out. A fault is the whole reply; `after` carries the request out first. */
export type S3Fault =
  | { status: number; code: string; headers?: Record<string, string>; extra?: string; after?: boolean }
  | { closes: true; after?: boolean }
  /** No reply, and the connection stays open. */
  | { hangs: true; after?: false }
  /** Any body with status 200, as of a page of a proxy. */
  | { body: string; after?: false }

export type FakeS3 = {
  endpoint: string
  /** The options of a server that uses the bucket `backups`. */
  environment: Record<string, string>
  objects: Map<string, StoredObject>
  uploads: Map<string, Upload>
  /** `PUT /backups/name?query`, in order. */
  requests: string[]
  /** The header accept-encoding of each request, as it was sent. */
  encodings: unknown[]
  /** Largest body of a request in bytes. */
  largestBody: number
  now: () => Date
  fault: (request: { method: string; key: string; query: URLSearchParams }) => S3Fault | undefined
  /** Etags that are no MD5, as of servers that encrypt. */
  hasForeignEtags: boolean
  /** Whether there is a proxy before it that accepts compressed replies itself. */
  isBehindProxy: boolean
  /** Objects in one page of a list. */
  pageSize: number
}

const BUCKET = 'backups'
const REGION = 'eu-central-1'

/**
 * A server with the part of the protocol of Amazon S3 that copies of backups need, on a free port. It checks signatures of version 4, the
 * SHA-256 of each body, and the order, number and etags of parts, and answers with errors in XML.
 */
export async function startFakeS3(t: Test): Promise<FakeS3> {
  const s3: FakeS3 = {
    endpoint: '',
    environment: {},
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    encodings: [],
    largestBody: 0,
    now: () => new Date(),
    fault: () => undefined,
    hasForeignEtags: false,
    isBehindProxy: false,
    pageSize: 1000,
  }
  const server = createServer((request, response) => void answer(s3, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  s3.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  s3.environment = {
    PHLIX_S3_ENDPOINT: s3.endpoint,
    PHLIX_S3_REGION: REGION,
    PHLIX_S3_BUCKET: BUCKET,
    PHLIX_S3_PREFIX: 'phlix/',
    PHLIX_S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    PHLIX_S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
  }
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return s3
}

type Call = { method: string; bucket: string; key: string; query: URLSearchParams; body: Buffer }

type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

async function answer(s3: FakeS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  record(s3, request, body)
  const url = new URL(request.url ?? '/', s3.endpoint)
  const [, bucket = '', ...path] = decodeURIComponent(url.pathname).split('/')
  const call: Call = { method: request.method ?? '', bucket, key: path.join('/'), query: url.searchParams, body }
  const fault = s3.fault(call)
  const refused = refusal(s3, { request, url, body })
  const carryOut = (): Reply => refused ?? perform(s3, call, request.headers)
  const carriedOut = fault === undefined || fault.after === true ? carryOut() : undefined
  if (fault !== undefined && 'closes' in fault) {
    response.destroy()
    return
  }
  if (fault !== undefined && 'hangs' in fault) return
  const reply = fault === undefined ? carriedOut : faultyReply(fault)
  const bytes = Buffer.from(reply?.body ?? '')
  sendReply(response, { date: s3.now(), bytes, ...(reply ?? { status: 500 }), isHead: call.method === 'HEAD' })
}

type Sent = { status: number; headers?: Record<string, string>; bytes: Buffer; date: Date; isHead: boolean }

function sendReply(response: ServerResponse, { status, headers, bytes, date, isHead }: Sent): void {
  const length = headers?.['content-length'] ?? String(bytes.length)
  response.writeHead(status, { date: date.toUTCString(), ...headers, 'content-length': length })
  response.end(isHead ? undefined : bytes)
}

function record(s3: FakeS3, request: IncomingMessage, body: Buffer): void {
  s3.largestBody = Math.max(s3.largestBody, body.length)
  s3.requests.push(`${request.method} ${request.url}`)
  s3.encodings.push(request.headers['accept-encoding'])
  if (s3.isBehindProxy) request.headers['accept-encoding'] = 'gzip, br'
}

function faultyReply(fault: Extract<S3Fault, { status: number } | { body: string }>): Reply {
  return 'body' in fault ? xml(fault.body) : error(fault.status, fault.code, fault.extra, fault.headers)
}

function refusal(s3: FakeS3, sent: { request: IncomingMessage; url: URL; body: Buffer }): Reply | undefined {
  const { request, body } = sent
  const sha256 = createHash('sha256').update(body).digest('hex')
  const time = String(request.headers['x-amz-date'])
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const found = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, /.exec(
    request.headers.authorization ?? '',
  )
  if (found === null) return error(403, 'AccessDenied')
  if (found[1] !== S3_KEYS.accessKeyId) return error(403, 'InvalidAccessKeyId')
  if (found[2] !== REGION) {
    return error(400, 'AuthorizationHeaderMalformed', `<Region>${REGION}</Region>`)
  }
  if (authorizationOf({ ...sent, sha256, time, region: REGION }) !== request.headers.authorization) {
    return error(403, 'SignatureDoesNotMatch', '<StringToSign>AWS4</StringToSign>')
  }
  if (Math.abs(at - s3.now().getTime()) > 15 * 60_000) return error(403, 'RequestTimeTooSkewed')
  if (request.headers['x-amz-content-sha256'] !== sha256) return error(400, 'XAmzContentSHA256Mismatch')
  return undefined
}

/**
 * The header that a request must have: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 * @param time as `x-amz-date` has it
 */
export function authorizationOf({
  request: { method = '', headers },
  url,
  sha256,
  time,
  region,
}: {
  request: Pick<IncomingMessage, 'method' | 'headers'>
  url: URL
  sha256: string
  time: string
  region: string
}): string {
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const encode = (text: string): string =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const canonical = [
    method,
    decodeURIComponent(url.pathname).split('/').map(encode).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .toSorted()
      .join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name])}`),
    '',
    signed,
    sha256,
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  let key: Buffer | string = `AWS4${S3_KEYS.secretAccessKey}`
  for (const part of [time.slice(0, 8), region, 's3', 'aws4_request'])
    key = createHmac('sha256', key).update(part).digest()
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `AWS4-HMAC-SHA256 Credential=${S3_KEYS.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

function perform(s3: FakeS3, call: Call, headers: IncomingMessage['headers']): Reply {
  const { method, bucket, key, query } = call
  if (bucket !== BUCKET) return error(404, 'NoSuchBucket')
  if (key === '') return query.has('uploads') ? listUploads(s3, query) : listObjects(s3, query)
  if (query.has('uploads')) return startUpload(s3, key)
  const uploadId = query.get('uploadId')
  if (uploadId !== null) return performUpload(s3, call, uploadId)
  if (method === 'PUT') {
    s3.objects.set(key, { content: call.body, etag: etagOf(s3, md5(call.body)), modifiedAt: s3.now() })
    return { status: 200, headers: { etag: `"${s3.objects.get(key)?.etag}"` } }
  }
  if (method === 'DELETE') {
    s3.objects.delete(key)
    return { status: 204 }
  }
  const found = s3.objects.get(key)
  if (found === undefined) return method === 'HEAD' ? { status: 404 } : error(404, 'NoSuchKey')
  const { content, etag } = found
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  const range = first === undefined ? content : content.subarray(Number(first), Number(last) + 1)
  const length = { 'content-length': String(range.length) }
  return { status: first === undefined ? 200 : 206, headers: { etag: `"${etag}"`, ...length }, body: range }
}

function startUpload(s3: FakeS3, key: string): Reply {
  const id = `upload+${s3.uploads.size + 1}/=`
  s3.uploads.set(id, { key, startedAt: s3.now(), parts: new Map() })
  return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
}

function performUpload(s3: FakeS3, { method, query, body, key }: Call, id: string): Reply {
  const upload = s3.uploads.get(id)
  if (upload === undefined) return error(404, 'NoSuchUpload')
  if (method === 'DELETE') {
    s3.uploads.delete(id)
    return { status: 204 }
  }
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: `"${md5(body)}"` } }
  }
  const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&quot;(\w+)&quot;<\/ETag>/g)]
  const parts: Buffer[] = []
  for (const [index, [, number, etag]] of named.entries()) {
    const part = upload.parts.get(Number(number))
    if (part === undefined || md5(part) !== etag || Number(number) !== index + 1) return error(400, 'InvalidPart')
    if (index < named.length - 1 && part.length < 5 * 1024 * 1024) return error(400, 'EntityTooSmall')
    parts.push(part)
  }
  const sums = Buffer.concat(parts.map((part) => Buffer.from(md5(part), 'hex')))
  const etag = etagOf(s3, `${md5(sums)}-${parts.length}`)
  s3.objects.set(key, { content: Buffer.concat(parts), etag, modifiedAt: s3.now() })
  s3.uploads.delete(id)
  return xml(`<CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`)
}

function listObjects(s3: FakeS3, query: URLSearchParams): Reply {
  const after = query.get('continuation-token') ?? ''
  const keys = [...s3.objects.keys()].toSorted().filter((key) => isListed(key, query) && key > after)
  const page = keys.slice(0, s3.pageSize)
  const rows = page.map((key) => {
    const { content, modifiedAt } = s3.objects.get(key) ?? { content: Buffer.alloc(0), modifiedAt: s3.now() }
    return `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><Size>${content.length}</Size></Contents>`
  })
  const isTruncated = page.length < keys.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return xml(`<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`)
}

/** A key with a slash after the prefix is in a group instead. */
function isListed(key: string, query: URLSearchParams): boolean {
  const prefix = query.get('prefix') ?? ''
  return key.startsWith(prefix) && !(query.get('delimiter') === '/' && key.slice(prefix.length).includes('/'))
}

function listUploads(s3: FakeS3, query: URLSearchParams): Reply {
  const rows = [...s3.uploads].filter(([, { key }]) => isListed(key, query))
  const text = rows.map(
    ([id, { key, startedAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
  )
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${text.join('')}</ListMultipartUploadsResult>`,
  )
}

function etagOf({ hasForeignEtags }: FakeS3, etag: string): string {
  return hasForeignEtags ? md5(Buffer.from(etag)) : etag
}

function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex')
}

function error(status: number, code: string, extra = '', headers: Record<string, string> = {}): Reply {
  const text = `<Error><Code>${code}</Code><Message>Text of ${code}</Message>${extra}</Error>`
  return { ...xml(text), status, headers: { 'content-type': 'application/xml', ...headers } }
}

function xml(text: string): Reply {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${text}`
  return { status: 200, headers: { 'content-type': 'application/xml' }, body }
}
