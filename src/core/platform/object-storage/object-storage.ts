import { createHash } from 'node:crypto'
import type { Outbound, OutboundReply } from '../outbound/index.ts'
import type { Clock } from '../time/index.ts'
import { retryRequest } from './retry-request.ts'
import { toStorageError } from './storage-error.ts'
import { objectStorageErrors } from './errors.ts'
import { childNodes, parseXmlReply, childNodeText, type XmlNode } from './parse-xml-reply.ts'
import { signRequest } from './sign-request.ts'

/**
 * A bucket, and the account that uses it. It uses the protocol of Amazon S3 with version 4 signatures. Buckets are addressed by path, not
 * by host name.
 */
export type ObjectStorageOptions = {
  outbound: Outbound
  clock: Clock
  /** http or https, without a query. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** Pause before the second attempt of a request; each further one is twice as long. Default: 500. */
  retryMilliseconds?: number | undefined
}

export type StoredObject = { key: string; bytes: number; modifiedAt: Date }

/** `etag`: without quotes. `isMd5Etag`: whether an etag of 32 hexadecimal digits, with `-PARTS`, is the MD5 of the content. */
export type ObjectMetadata = { bytes: number; etag: string }

export type OpenUpload = { key: string; uploadId: string; startedAt: Date }

export type UploadedPart = { number: number; etag: string }

/**
 * The calls of one bucket. Each one is tried up to four times if the connection fails or the server is overloaded.
 * All throw AppError `storage_…` of `objectStorageErrors`, `outbound_refused`, or the reason of the signal.
 */
export type ObjectStorage = {
  /** The objects whose key begins with the prefix and has no slash after it. */
  list(prefix: string, signal?: AbortSignal): Promise<StoredObject[]>
  /** Undefined if there is none. */
  head(key: string, signal?: AbortSignal): Promise<ObjectMetadata | undefined>
  put(key: string, content: Uint8Array, signal?: AbortSignal): Promise<void>
  /** Reads a range of an object; without one all of it. @param range `first` and `last` are inclusive */
  get(
    key: string,
    options: { range?: { first: number; last: number }; maximumBytes: number; signal?: AbortSignal | undefined },
  ): Promise<Uint8Array>
  /** Removes an object; also succeeds if it does not exist. */
  remove(key: string, signal?: AbortSignal): Promise<void>
  startUpload(key: string, signal?: AbortSignal): Promise<string>
  putPart(
    key: string,
    part: { uploadId: string; number: number; content: Uint8Array; signal?: AbortSignal | undefined },
  ): Promise<UploadedPart>
  completeUpload(
    key: string,
    upload: { uploadId: string; parts: readonly UploadedPart[]; signal?: AbortSignal | undefined },
  ): Promise<void>
  /** Removes the parts of an upload. Also succeeds if it is no longer open. */
  abortUpload(key: string, uploadId: string, signal?: AbortSignal): Promise<void>
  /** The unfinished uploads whose keys begin with the prefix. */
  listUploads(prefix: string, signal?: AbortSignal): Promise<OpenUpload[]>
}

type Call = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  maximumBytes?: number
  signal?: AbortSignal | undefined
}

const REPLY_BYTES = 4 * 1024 * 1024
const BASE_MILLISECONDS = 60_000
/** The slowest line on which an upload succeeds: 32 KiB a second. */
const BYTES_PER_MILLISECOND = 32
const DEFAULT_RETRY_MILLISECONDS = 500

export function openObjectStorage(input: ObjectStorageOptions): ObjectStorage {
  const { outbound, clock, endpoint, region, bucket, accessKeyId, secretAccessKey } = input
  const retryMilliseconds = input.retryMilliseconds ?? DEFAULT_RETRY_MILLISECONDS

  async function sendOnce(call: Call): Promise<OutboundReply> {
    const body = call.body ?? new Uint8Array()
    const url = addressOf({ endpoint, bucket, key: call.key ?? '', query: call.query ?? {} })
    const maximumBytes = call.maximumBytes ?? REPLY_BYTES
    const signed = await signRequest({
      method: call.method,
      url,
      headers: call.headers ?? {},
      sha256: createHash('sha256').update(body).digest('hex'),
      key: { accessKeyId, secretAccessKey, region },
      now: clock.now(),
    })
    const reply = await outbound.send(
      {
        purpose: 'bucket',
        url: url.href,
        trust: 'configured',
        method: call.method,
        headers: signed,
        ...(call.body === undefined ? {} : { body: call.body }),
        timeoutMilliseconds: BASE_MILLISECONDS + (body.length + (call.maximumBytes ?? 0)) / BYTES_PER_MILLISECOND,
        maximumBytes: Math.max(maximumBytes, REPLY_BYTES),
        returnsRedirects: true,
      },
      call.signal,
    )
    // Some calls begin their reply before they are done, and report an error under status 200.
    if (reply.status >= 200 && reply.status < 300 && !isError(call, reply)) return reply
    throw toStorageError(reply, { host: url.host, bucket, region, now: clock.now() })
  }

  const send = (call: Call): Promise<OutboundReply> =>
    retryRequest(() => sendOnce(call), { retryMilliseconds, signal: call.signal })

  /** All pages of a list, which have the given root. An incomplete list would make objects look missing. */
  async function* pages(root: string, call: (marker: Record<string, string>) => Call): AsyncGenerator<XmlNode> {
    let marker: Record<string, string> | undefined = {}
    while (marker !== undefined) {
      const page = parseXmlReply((await send(call(marker))).body)
      if (page.name !== root) {
        throw objectStorageErrors.storage_failed({ message: `${new URL(endpoint).host} answered without a list.` })
      }
      yield page
      marker = nextMarker(page, marker)
    }
  }

  return {
    async list(prefix, signal) {
      const objects: StoredObject[] = []
      for await (const page of pages('ListBucketResult', (marker) => ({
        method: 'GET',
        query: { 'list-type': '2', prefix, delimiter: '/', ...marker },
        signal,
      }))) {
        for (const row of childNodes(page, 'Contents')) {
          const [key, bytes, modified] = [
            childNodeText(row, 'Key'),
            Number(childNodeText(row, 'Size')),
            childNodeText(row, 'LastModified'),
          ]
          objects.push({ key, bytes, modifiedAt: new Date(modified) })
        }
      }
      return objects
    },
    async head(key, signal) {
      try {
        const { headers } = await send({ method: 'HEAD', key, signal })
        return { bytes: Number(headers['content-length']), etag: unquoted(headers['etag'] ?? '') }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async put(key, content, signal) {
      await send({ method: 'PUT', key, body: content, signal })
    },
    async get(key, { range, maximumBytes, signal }) {
      const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
      return (await send({ method: 'GET', key, headers, maximumBytes, signal })).body
    },
    async remove(key, signal) {
      await send({ method: 'DELETE', key, signal })
    },
    async startUpload(key, signal) {
      const { body } = await send({ method: 'POST', key, query: { uploads: '' }, body: new Uint8Array(), signal })
      const uploadId = childNodeText(parseXmlReply(body), 'UploadId')
      if (uploadId !== '') return uploadId
      throw objectStorageErrors.storage_failed({ message: 'The object storage started an upload without an id.' })
    },
    async putPart(key, { uploadId, number, content, signal }) {
      const query = { partNumber: String(number), uploadId }
      const { headers } = await send({ method: 'PUT', key, query, body: content, signal })
      return { number, etag: headers['etag'] ?? '' }
    },
    async completeUpload(key, { uploadId, parts, signal }) {
      const rows = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
      )
      const body = Buffer.from(`<CompleteMultipartUpload>${rows.join('')}</CompleteMultipartUpload>`)
      await send({
        method: 'POST',
        key,
        query: { uploadId },
        headers: { 'content-type': 'application/xml' },
        body,
        signal,
      })
    },
    async abortUpload(key, uploadId, signal) {
      try {
        await send({ method: 'DELETE', key, query: { uploadId }, signal })
      } catch (error) {
        if (!isMissing(error)) throw error
      }
    },
    async listUploads(prefix, signal) {
      const uploads: OpenUpload[] = []
      for await (const page of pages('ListMultipartUploadsResult', (marker) => ({
        method: 'GET',
        query: { uploads: '', prefix, delimiter: '/', ...marker },
        signal,
      }))) {
        for (const row of childNodes(page, 'Upload')) {
          const startedAt = new Date(childNodeText(row, 'Initiated'))
          uploads.push({ key: childNodeText(row, 'Key'), uploadId: childNodeText(row, 'UploadId'), startedAt })
        }
      }
      return uploads
    },
  }
}

type Address = { endpoint: string; bucket: string; key: string; query: Record<string, string> }

/** `endpoint/bucket/key?query`. A key must not have a plus sign, which the signer takes for a space; `backups.s3.prefix` permits none. */
function addressOf({ endpoint, bucket, key, query }: Address): URL {
  const url = new URL(endpoint)
  url.pathname = [url.pathname.replace(/\/+$/, ''), bucket, ...(key === '' ? [] : [key])].join('/')
  // URLSearchParams is not used, because it writes a space as `+`, and some servers compute another signature for that.
  url.search = Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  return url
}

/** What continues a list after its page; undefined after the last one. @throws AppError `storage_failed` if nothing new does */
function nextMarker(page: XmlNode, last: Record<string, string>): Record<string, string> | undefined {
  if (childNodeText(page, 'IsTruncated') !== 'true') return undefined
  const token = childNodeText(page, 'NextContinuationToken')
  const next: Record<string, string> =
    token === ''
      ? {
          'key-marker': childNodeText(page, 'NextKeyMarker'),
          'upload-id-marker': childNodeText(page, 'NextUploadIdMarker'),
        }
      : { 'continuation-token': token }
  if (Object.values(next).every((marker) => marker === '') || JSON.stringify(next) === JSON.stringify(last)) {
    throw objectStorageErrors.storage_failed({
      message: 'The object storage sent an incomplete list without a way to continue it.',
    })
  }
  return next
}

function isError({ method }: Call, { body }: OutboundReply): boolean {
  return method === 'POST' && parseXmlReply(body).name === 'Error'
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === objectStorageErrors.storage_object_missing.definition.code
  )
}

function unquoted(etag: string): string {
  return etag.replace(/^(?:W\/)?"(.*)"$/, '$1')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
