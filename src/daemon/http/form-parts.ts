import { MIMEType } from 'node:util'

/** A part of a form. `isFile`: it has a file name, which may be empty. */
export type FormPart = { name: string; isFile: boolean; bytes: Buffer }

/** More fields than any form of the interface has. */
const MAX_PARTS = 100
const MAX_HEADER_BYTES = 8 * 1024

const LINE_END = '\r\n'

/**
 * Reads the parts of a multipart form (RFC 7578). The bytes of the parts are views of the body, so that a file of some megabytes is not copied.
 * `Response.formData()` copies them several times, and its first call takes 40 ms.
 * @returns the parts up to the first error, at most 100
 */
export function* readFormParts(body: Buffer, contentType: string): Generator<FormPart> {
  const boundary = parametersOf(contentType)?.get('boundary')
  if (boundary === null || boundary === undefined || boundary === '') return
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`, 'latin1')
  // The line end before the first delimiter is absent.
  if (!body.subarray(0, delimiter.length - LINE_END.length).equals(delimiter.subarray(LINE_END.length))) return
  let start = delimiter.length - LINE_END.length
  for (let count = 0; count < MAX_PARTS; count += 1) {
    const end = body.indexOf(delimiter, start)
    const part = end === -1 ? undefined : readPart(body.subarray(start, end))
    if (part === undefined) return
    yield part
    start = end + delimiter.length
  }
}

/** @param bytes from the end of the delimiter to the next one; those after the last delimiter are no part */
function readPart(bytes: Buffer): FormPart | undefined {
  const headEnd = bytes.subarray(0, MAX_HEADER_BYTES).indexOf(`${LINE_END}${LINE_END}`)
  if (headEnd === -1 || bytes.indexOf(LINE_END) !== 0) return undefined
  const disposition = dispositionOf(bytes.toString('latin1', 0, headEnd))
  // The parameters have the syntax of those of a media type.
  const name = parametersOf(`multipart/${disposition}`)?.get('name') ?? undefined
  const [kind, ...parameters] = disposition.split(';').map((word) => word.trim().toLowerCase())
  if (kind !== 'form-data' || name === undefined) return undefined
  const isFile = parameters.some((parameter) => parameter.startsWith('filename'))
  return { name, isFile, bytes: bytes.subarray(headEnd + 2 * LINE_END.length) }
}

/** The value of the header that names the field; empty if it is absent. */
function dispositionOf(head: string): string {
  for (const line of head.split(LINE_END)) {
    const colon = line.indexOf(':')
    if (line.slice(0, colon).toLowerCase() === 'content-disposition') return line.slice(colon + 1).trim()
  }
  return ''
}

function parametersOf(type: string): MIMEType['params'] | undefined {
  try {
    return new MIMEType(type).params
  } catch {
    return undefined
  }
}
