import { deflateSync } from 'node:zlib'

/**
 * Writes a PDF of two pages, empty except for `drawing` on the first; `info` goes into its Info dictionary, `trailer` into its trailer.
 * `padding` bytes precede it.
 */
export function pdfOf({
  info = '',
  trailer = '',
  padding = 0,
  drawing = '',
}: { info?: string; trailer?: string; padding?: number; drawing?: string } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 6 0 R >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
    `<< ${info} >>`,
    `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  let at = text.length + padding
  const offsets: string[] = []
  for (const [index, object] of objects.entries()) {
    const body = `${index + 1} 0 obj\n${object}\nendobj\n`
    offsets.push(`${String(at).padStart(10, '0')} 00000 n \n`)
    text += body
    at += body.length
  }
  text += `xref\n0 7\n0000000000 65535 f \n${offsets.join('')}`
  text += `trailer\n<< /Size 7 /Root 1 0 R /Info 5 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([Buffer.from(text.slice(0, 9)), commentOf(padding), Buffer.from(text.slice(9), 'latin1')])
}

function commentOf(length: number): Buffer {
  const comment = Buffer.alloc(length, 'a')
  if (length > 1) comment[0] = 0x25
  if (length > 1) comment[length - 1] = 0x0a
  return comment
}

/**
 * Writes a PDF of a few hundred kilobytes whose title follows this number of spaces in a compressed stream (ISO 32000-1, 7.5.7 and
 * 7.5.8).
 */
export function unpackingPdf(bytes: number): Buffer {
  const packed = deflateSync(
    Buffer.concat([Buffer.from('5 0 '), Buffer.alloc(bytes, ' '), Buffer.from('<< /Title (x) >>')]),
  )
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>'),
    streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', packed),
  ]
  const parts = [Buffer.from('%PDF-1.5\n')]
  const places: [type: number, where: number][] = [[0, 0]]
  let at = 9
  for (const [index, object] of objects.entries()) {
    places.push([1, at])
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    parts.push(whole)
    at += whole.length
  }
  places.push([2, 4], [1, at])
  const rows = Buffer.alloc(places.length * 7)
  for (const [index, [type, where]] of places.entries()) {
    rows.writeUInt8(type, index * 7)
    rows.writeUInt32BE(where, index * 7 + 1)
  }
  const list = streamOf('/Type /XRef /Size 7 /W [1 4 2] /Root 1 0 R /Info 5 0 R', rows)
  return Buffer.concat([...parts, Buffer.from('6 0 obj\n'), list, Buffer.from(`\nendobj\nstartxref\n${at}\n%%EOF\n`)])
}

function streamOf(facts: string, body: Buffer): Buffer {
  const head = `<< ${facts} /Length ${body.length} >>\nstream\n`
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\nendstream')])
}
